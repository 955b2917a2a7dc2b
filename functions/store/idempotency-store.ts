// The idempotency records in DynamoDB: the part that another team takes along with the room it serves.
// Every put and update is conditional; a record is never taken over, expired or not.

import type { AbandonPort, PutAbandonedResult } from '#idempotency/commit-port.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import type { Dynamo, WriteAnswer } from '#store/dynamo.ts';
import { type View, view } from '#store/dynamo-input.ts';
import { recordFromItem, recordToItem } from '#store/record-item.ts';
import { TABLES } from '#store/tables.ts';

const { hash } = TABLES.idempotencyKeys;

export function recordsIn(table: string): View<IdempotencyRecord> {
  return view(table, TABLES.idempotencyKeys, recordFromItem);
}

export function createIdempotencyStore(dynamo: Dynamo, table: string): AbandonPort {
  const records = recordsIn(table);
  return {
    readRecord: (recordKey, options) => dynamo.get(records, { [hash]: recordKey }, options),

    async putAbandoned(record, options) {
      const answer = await dynamo.put(
        records,
        { item: recordToItem(record), condition: `attribute_not_exists(${hash})` },
        options,
      );
      return putResult(answer, record);
    },

    async renewAbandoned(record, previous, options) {
      const answer = await dynamo.update(
        records,
        {
          key: { [hash]: record.recordKey },
          update:
            'SET attemptId = :attemptId, expiresAtMs = :expiresAtMs, purgeAtSeconds = :purgeAtSeconds',
          condition: `attribute_exists(${hash}) AND #state = :abandoned AND attemptId = :previous`,
          names: { '#state': 'state' },
          values: {
            ':attemptId': record.attemptId,
            ':expiresAtMs': record.expiresAtMs,
            ':purgeAtSeconds': record.purgeAtSeconds,
            ':abandoned': 'abandoned',
            ':previous': previous.attemptId,
          },
        },
        options,
      );
      return putResult(answer, record);
    },
  };
}

function putResult(
  answer: WriteAnswer<IdempotencyRecord>,
  mine: IdempotencyRecord,
): PutAbandonedResult {
  switch (answer.kind) {
    case 'applied':
      return { kind: 'committed' };
    case 'condition-failed': {
      const { standing } = answer;
      if (standing.kind !== 'found') {
        return { kind: 'unknown', why: 'a record stood in the way and cannot be read' };
      }
      if (standing.value.attemptId === mine.attemptId) return { kind: 'committed' };
      return { kind: 'record-exists', record: standing.value };
    }
    case 'not-applied':
    case 'unknown':
      return answer;
  }
}
