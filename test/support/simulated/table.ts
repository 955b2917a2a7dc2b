// A table in memory: items by key. An item that was spoiled is there and cannot be read, as one in a real
// table that no schema takes.

import { StoreFault } from '#store/store-fault.ts';

export type Table<T> = {
  /** @throws StoreFault when the item was spoiled */
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, item: T) => void;
  readonly delete: (key: string) => void;
  /** Every item with its key, in the order in which they came. */
  readonly entries: () => readonly (readonly [string, T])[];
  readonly spoil: (key: string) => void;
};

export function createTable<T>(): Table<T> {
  const items = new Map<string, T>();
  const spoiled = new Set<string>();
  const sound = (key: string) => {
    if (spoiled.has(key)) throw new StoreFault('corrupt-item', 'a spoiled item');
    return items.get(key);
  };
  return {
    get: sound,
    set(key, item) {
      items.set(key, item);
    },
    delete(key) {
      items.delete(key);
      spoiled.delete(key);
    },
    entries() {
      for (const key of spoiled) sound(key);
      return [...items];
    },
    spoil: (key) => void spoiled.add(key),
  };
}
