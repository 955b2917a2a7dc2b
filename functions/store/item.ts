// Items as plain values: measured as DynamoDB counts them, and parsed by schema when they come back.

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod';
import { StoreFault } from '#store/store-fault.ts';

export type Item = Readonly<Record<string, unknown>>;

/** How values become attributes, here where they are measured as on the wire. */
export const MARSHALL_OPTIONS = Object.freeze({ removeUndefinedValues: true });

/** @throws StoreFault when the item is not what the schema says */
export function fromItem<T>(item: Item, schema: z.ZodType<T>, what: string): T {
  const parsed = schema.safeParse(item);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new StoreFault('corrupt-item', `${what} in the table does not parse at "${where}"`);
}

/** Bytes of an item as DynamoDB counts them: names and values in UTF-8, 3 for a list or map, 1 an element. */
export function itemBytes(item: Item): number {
  return attributesBytes(marshall(item, MARSHALL_OPTIONS));
}

type Attributes = Record<string, AttributeValue>;

function attributesBytes(attributes: Attributes): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(attributes)) bytes += utf8(name) + valueBytes(value);
  return bytes;
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return utf8(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.replace(/\D/g, '').length / 2) + 1;
  if (value.B !== undefined) return value.B.byteLength;
  if (value.BOOL !== undefined || value.NULL !== undefined) return 1;
  if (value.L !== undefined) return value.L.reduce((sum, each) => sum + 1 + valueBytes(each), 3);
  if (value.M !== undefined) return 3 + attributesBytes(value.M) + Object.keys(value.M).length;
  throw new StoreFault('corrupt-item', 'an attribute of a type that no table of ours has');
}

function utf8(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
