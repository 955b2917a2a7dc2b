// What an answer with status 200 proves. A store, a proxy or a broken server may answer anything: only an
// answer that names the table that was asked, by the capacity that it consumed there, is one. Pure.

import * as z from 'zod';
import type { ReadResult, Unknown } from '#idempotency/commit-port.ts';
import type { View } from '#store/dynamo-input.ts';
import type { Item } from '#store/item.ts';

const itemSchema = z.record(z.string(), z.unknown());
const capacitySchema = z.object({ TableName: z.string(), CapacityUnits: z.number().optional() });
const oneSchema = z.object({ ConsumedCapacity: capacitySchema });
const manySchema = z.object({ ConsumedCapacity: z.array(capacitySchema) });
const getSchema = z.object({ Item: itemSchema.optional() });
const pageSchema = oneSchema.extend({
  Items: z.array(itemSchema),
  LastEvaluatedKey: itemSchema.optional(),
});
const writtenSchema = oneSchema.extend({ Attributes: itemSchema.optional() });

export type Asked = {
  readonly table: string;
  readonly key: Item;
  readonly consistent: boolean;
};

/** The item with the key that was asked, or the proof that there is none, or nothing. */
export function readGet(output: unknown, { table, key, consistent }: Asked): ReadResult<Item> {
  const { data } = getSchema.safeParse(output);
  if (!data) return { kind: 'failed' };
  const { Item } = data;
  if (Item) {
    const asked = Object.entries(key).every(([name, value]) => Item[name] === value);
    return asked ? { kind: 'found', value: Item } : { kind: 'failed' };
  }
  return consistent && oneTable(output) === table ? { kind: 'none' } : { kind: 'failed' };
}

export type RawPage = {
  readonly items: readonly Item[];
  readonly lastKey?: Item;
  readonly units: number;
};

export function readPage(output: unknown, table: string): ReadResult<RawPage> {
  const { data } = pageSchema.safeParse(output);
  if (data?.ConsumedCapacity.TableName !== table) return { kind: 'failed' };
  const { Items: items, LastEvaluatedKey: lastKey, ConsumedCapacity } = data;
  const units = ConsumedCapacity.CapacityUnits ?? 0;
  return { kind: 'found', value: { items, units, ...(lastKey && { lastKey }) } };
}

/** A single write: applied, with the attributes that it gave back; or an answer that proves nothing. */
export function readWritten<T>(
  output: unknown,
  view: View<T>,
): { readonly kind: 'applied'; readonly item?: T } | Unknown {
  const { data } = writtenSchema.safeParse(output);
  if (data?.ConsumedCapacity.TableName !== view.table) {
    return { kind: 'unknown', why: 'an answer that does not name the table written' };
  }
  return { kind: 'applied', ...(data.Attributes && { item: view.read(data.Attributes) }) };
}

/** Does a transaction's answer name every table that it wrote? */
export function provesWrite(output: unknown, tables: readonly string[]): boolean {
  const { data } = manySchema.safeParse(output);
  const named = new Set(data?.ConsumedCapacity.map(({ TableName }) => TableName));
  return tables.every((table) => named.has(table));
}

function oneTable(output: unknown): string | undefined {
  return oneSchema.safeParse(output).data?.ConsumedCapacity.TableName;
}
