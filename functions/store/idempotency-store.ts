// The idempotency records in DynamoDB: the part that another team takes along with the room it serves.
// Every put and update is conditional; a record is never taken over, expired or not.

import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type {
  AbandonPort,
  PutAbandonedResult,
  ReadOptions,
  ReadResult,
} from '#idempotency/commit-port.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import type { Item } from '#store/classify-answer.ts';
import { toItem } from '#store/item.ts';
import { recordFromItem, recordToItem } from '#store/record-item.ts';
import { type SingleAnswer, sendWrite, withTimeLimit } from '#store/send-once.ts';
import { TABLES } from '#store/tables.ts';

const { hash } = TABLES.idempotencyKeys;

/** One GetItem. A failure of the store is `failed`; an item that does not parse is thrown. */
export async function readItem(
  client: DynamoDBClient,
  TableName: string,
  key: object,
  { consistent, timeoutMs }: ReadOptions,
): Promise<ReadResult<Item>> {
  const command = new GetItemCommand({ TableName, Key: toItem(key), ConsistentRead: consistent });
  let output: { Item?: Item | undefined };
  try {
    output = await withTimeLimit(timeoutMs, (options) => client.send(command, options));
  } catch {
    return { kind: 'failed' }; // a read that failed says nothing; whoever asked decides
  }
  if (typeof output !== 'object' || output === null) return { kind: 'failed' };
  return output.Item ? { kind: 'found', value: output.Item } : { kind: 'none' };
}

export function mapFound<A, B>(read: ReadResult<A>, map: (value: A) => B): ReadResult<B> {
  return read.kind === 'found' ? { kind: 'found', value: map(read.value) } : read;
}

export function createIdempotencyStore(client: DynamoDBClient, tableName: string): AbandonPort {
  return {
    async readRecord(recordKey, options) {
      const read = await readItem(client, tableName, { [hash]: recordKey }, options);
      return mapFound(read, recordFromItem);
    },

    async putAbandoned(record, options) {
      const command = new PutItemCommand({
        TableName: tableName,
        Item: recordToItem(record),
        ConditionExpression: `attribute_not_exists(${hash})`,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ReturnConsumedCapacity: 'INDEXES',
      });
      return putResult(await sendWrite(command, options, (o) => client.send(command, o)), record);
    },

    async renewAbandoned(record, previous, options) {
      const command = new UpdateItemCommand({
        TableName: tableName,
        Key: toItem({ [hash]: record.recordKey }),
        UpdateExpression:
          'SET attemptId = :attemptId, expiresAtMs = :expiresAtMs, purgeAtSeconds = :purgeAtSeconds',
        ConditionExpression: `attribute_exists(${hash}) AND #state = :abandoned AND attemptId = :previous`,
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: toItem({
          ':attemptId': record.attemptId,
          ':expiresAtMs': record.expiresAtMs,
          ':purgeAtSeconds': record.purgeAtSeconds,
          ':abandoned': 'abandoned',
          ':previous': previous.attemptId,
        }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ReturnConsumedCapacity: 'INDEXES',
      });
      return putResult(await sendWrite(command, options, (o) => client.send(command, o)), record);
    },
  };
}

function putResult(answer: SingleAnswer, mine: IdempotencyRecord): PutAbandonedResult {
  switch (answer.kind) {
    case 'applied':
      return { kind: 'committed' };
    case 'condition-failed': {
      const record = answer.item && recordFromItem(answer.item);
      if (record?.attemptId === mine.attemptId) return { kind: 'committed' };
      return { kind: 'record-exists', ...(record && { record }) };
    }
    case 'not-applied':
    case 'unknown':
      return answer;
  }
}
