// What an answer of status 200 proves: only one that names the table asked proves an absence or a write.

import { describe, expect, it } from 'vitest';
import { view } from '#store/dynamo-input.ts';
import { provesWrite, readGet, readPage, readWritten } from '#store/dynamo-output.ts';

const KEY = { pk: 'x' };
const capacity = { ConsumedCapacity: { TableName: 'T', CapacityUnits: 0.5 } };
const get = (output: unknown, consistent = true) =>
  readGet(output, { table: 'T', key: KEY, consistent });
const NOTHING: readonly unknown[] = [
  undefined,
  null,
  {},
  [],
  'text',
  0,
  { ConsumedCapacity: null },
  { ConsumedCapacity: 'T' },
  { ConsumedCapacity: {} },
  { ConsumedCapacity: { TableName: 'other' } },
];

describe('a read of one item', () => {
  it('proves an absence when it is consistent and names the table', () => {
    expect(get(capacity)).toEqual({ kind: 'none' });
    expect(get(capacity, false)).toEqual({ kind: 'failed' });
  });

  it('finds the item with the key that was asked', () => {
    expect(get({ ...capacity, Item: { pk: 'x', n: 1 } })).toMatchObject({ kind: 'found' });
    expect(get({ Item: { pk: 'x', n: 1 } }, false)).toMatchObject({ kind: 'found' });
    expect(get({ ...capacity, Item: { pk: 'y', n: 1 } })).toEqual({ kind: 'failed' });
    expect(get({ ...capacity, Item: {} })).toEqual({ kind: 'failed' });
    expect(get({ ...capacity, Item: 'x' })).toEqual({ kind: 'failed' });
  });

  it.each(NOTHING)('proves nothing by %j', (output) => {
    expect(get(output)).toEqual({ kind: 'failed' });
  });
});

describe('a page', () => {
  it('may be empty when it names its table', () => {
    expect(readPage({ ...capacity, Items: [] }, 'T')).toMatchObject({
      kind: 'found',
      value: { items: [], units: 0.5 },
    });
  });

  it.each([...NOTHING, capacity, { Items: [] }, { ...capacity, Items: {} }])(
    'proves nothing by %j',
    (output) => {
      expect(readPage(output, 'T')).toEqual({ kind: 'failed' });
    },
  );
});

describe('a write', () => {
  const target = view('T', { hash: 'pk' }, (item) => item);

  it('is applied when its answer names the table', () => {
    expect(readWritten(capacity, target)).toEqual({ kind: 'applied' });
    expect(
      provesWrite({ ConsumedCapacity: [{ TableName: 'T' }, { TableName: 'U' }] }, ['T', 'U']),
    ).toBe(true);
  });

  it.each(NOTHING)('is of unknown outcome by %j', (output) => {
    expect(readWritten(output, target)).toMatchObject({ kind: 'unknown' });
    expect(provesWrite(output, ['T'])).toBe(false);
  });

  it('of a transaction names every table', () => {
    expect(provesWrite({ ConsumedCapacity: [{ TableName: 'T' }] }, ['T', 'U'])).toBe(false);
  });
});
