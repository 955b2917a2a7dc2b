// What a store says, as the input of a command. Pure; every input asks for the capacity that its answer
// must name, and states its options.

import type {
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Item } from '#store/item.ts';
import type { TableShape } from '#store/tables.ts';

/** A table, or some of its items, as one store sees it. */
export type View<T> = {
  readonly table: string;
  readonly hash: string;
  readonly keyOf: (item: Item) => Item;
  /** @throws StoreFault when the item is not one of this view */
  readonly read: (item: Item) => T;
};

export function view<T>(
  table: string,
  { hash, range }: TableShape,
  read: (item: Item) => T,
): View<T> {
  const keyOf = (item: Item) =>
    range === undefined ? { [hash]: item[hash] } : { [hash]: item[hash], [range]: item[range] };
  return { table, hash, keyOf, read };
}

export type Expression = {
  readonly condition: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Item;
};
/** `returns`: the item comes back, as it was before a put and as it is after an update. */
export type Put = Expression & { readonly item: Item; readonly returns?: true };
export type Update = Expression & {
  readonly key: Item;
  readonly update: string;
  readonly returns?: true;
};

export type Query = {
  readonly index?: string;
  readonly keyCondition: string;
  readonly filter?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values: Item;
  readonly limit?: number;
  readonly startKey?: Item;
  /** Default: from the first key on. */
  readonly newestFirst?: boolean;
  /** Only of a table itself. */
  readonly consistent?: boolean;
};

export type Scan = {
  readonly segment: number;
  readonly segments: number;
  readonly consistent: boolean;
  readonly limit?: number;
  readonly attributes?: readonly string[];
  readonly startKey?: Item;
};

/** One part of a transaction. */
export type TransactAction = {
  readonly view: View<unknown>;
  readonly key: Item;
  /** Does a refusal say what stands there? */
  readonly tellsOld: boolean;
  readonly input: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
};
export type OnRefusal = 'ALL_OLD' | 'NONE';

/** Puts an item where none is. */
export function putNew(
  target: View<unknown>,
  { item, key }: { readonly item: Item; readonly key?: string },
  onRefusal?: OnRefusal,
): TransactAction {
  return {
    view: target,
    key: target.keyOf(item),
    tellsOld: onRefusal === 'ALL_OLD',
    input: {
      Put: {
        TableName: target.table,
        // A copy: every try sends what was built, whatever becomes of the objects that it was built from.
        Item: structuredClone({ ...item }),
        ConditionExpression: `attribute_not_exists(${key ?? target.hash})`,
        ...(onRefusal && { ReturnValuesOnConditionCheckFailure: onRefusal }),
      },
    },
  };
}

export function updateOne(target: View<unknown>, update: Update): TransactAction {
  return {
    view: target,
    key: update.key,
    tellsOld: true,
    input: {
      Update: {
        TableName: target.table,
        Key: { ...update.key },
        UpdateExpression: update.update,
        ...expression(update),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
  };
}

export const actionInput = ({ input }: TransactAction): TransactAction['input'] => input;

export function getInput(
  { table }: View<unknown>,
  key: Item,
  consistent: boolean,
): GetCommandInput {
  return {
    TableName: table,
    Key: { ...key },
    ConsistentRead: consistent,
    ReturnConsumedCapacity: 'TOTAL',
  };
}

export function putInput({ table }: View<unknown>, put: Put): PutCommandInput {
  return {
    TableName: table,
    Item: { ...put.item },
    ...expression(put),
    ...(put.returns && { ReturnValues: 'ALL_OLD' as const }),
    ...OF_EVERY_WRITE,
  };
}

export function updateInput({ table }: View<unknown>, update: Update): UpdateCommandInput {
  return {
    TableName: table,
    Key: { ...update.key },
    UpdateExpression: update.update,
    ...expression(update),
    ...(update.returns && { ReturnValues: 'ALL_NEW' as const }),
    ...OF_EVERY_WRITE,
  };
}

export function deleteInput(
  { table }: View<unknown>,
  gone: Expression & { readonly key: Item },
): DeleteCommandInput {
  return { TableName: table, Key: { ...gone.key }, ...expression(gone), ...OF_EVERY_WRITE };
}

export function queryInput({ table }: View<unknown>, query: Query): QueryCommandInput {
  const { index, names, limit, filter, startKey, newestFirst, consistent } = query;
  return {
    TableName: table,
    ...(index !== undefined && { IndexName: index }),
    KeyConditionExpression: query.keyCondition,
    ...(filter !== undefined && { FilterExpression: filter }),
    ...(names && { ExpressionAttributeNames: { ...names } }),
    ExpressionAttributeValues: { ...query.values },
    ...(limit !== undefined && { Limit: limit }),
    ...(startKey && { ExclusiveStartKey: { ...startKey } }),
    ...(newestFirst && { ScanIndexForward: false }),
    ConsistentRead: consistent ?? false,
    ReturnConsumedCapacity: 'INDEXES',
  };
}

export function scanInput({ table }: View<unknown>, scan: Scan): ScanCommandInput {
  const { attributes, limit, startKey } = scan;
  return {
    TableName: table,
    Segment: scan.segment,
    TotalSegments: scan.segments,
    ConsistentRead: scan.consistent,
    ...(limit !== undefined && { Limit: limit }),
    ...(attributes && {
      ProjectionExpression: attributes.join(', '),
      Select: 'SPECIFIC_ATTRIBUTES' as const,
    }),
    ...(startKey && { ExclusiveStartKey: { ...startKey } }),
    ReturnConsumedCapacity: 'TOTAL',
  };
}

const OF_EVERY_WRITE = {
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  ReturnConsumedCapacity: 'INDEXES',
} as const;

function expression({ condition, names, values }: Expression) {
  return {
    ConditionExpression: condition,
    ...(names && { ExpressionAttributeNames: { ...names } }),
    ...(values && { ExpressionAttributeValues: { ...values } }),
  };
}
