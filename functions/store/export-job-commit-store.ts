// The one transaction: key record, job, its request where that is large, and the claim where asked.
// All of it or nothing; every put is conditional, so that a late re-application changes nothing.

import {
  type DynamoDBClient,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { ExportJobCommitPort, ExportJobEffect } from '#export-jobs/create-port.ts';
import type { CommitResult, RecordReader } from '#idempotency/commit-port.ts';
import type { CommittedRecord } from '#idempotency/record.ts';
import { claimFromItem, claimToItem } from '#store/claim-item.ts';
import type { Item, Reason } from '#store/classify-answer.ts';
import { mapFound, readItem } from '#store/idempotency-store.ts';
import { type DueTimes, newJobItems, type RequestLife } from '#store/job-item.ts';
import { recordFromItem, recordToItem } from '#store/record-item.ts';
import { sendTransaction, type TransactionAnswer } from '#store/send-once.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

type Plan = {
  readonly input: TransactWriteItemsCommandInput;
  /** Position of the claim among the actions. */
  readonly claimAt: number | undefined;
};

export function createExportJobCommitStore(
  client: DynamoDBClient,
  tables: TableNames,
  { records, due }: { readonly records: RecordReader; readonly due: DueTimes & RequestLife },
): ExportJobCommitPort {
  return {
    readRecord: records.readRecord,

    prepare(record, effect) {
      const { input, claimAt } = planCommit(record, effect, { tables, due });
      const actions = input.TransactItems?.length ?? 0;
      return {
        async send(options) {
          const command = new TransactWriteItemsCommand({
            ...input,
            ClientRequestToken: options.token,
          });
          const answer = await sendTransaction(
            command,
            options,
            (o) => client.send(command, o),
            actions,
          );
          return commitResult(answer, claimAt);
        },
      };
    },

    async readClaim({ claimKey }, options) {
      if (claimKey === undefined) return { kind: 'none' };
      const key = { [TABLES.businessKeys.hash]: claimKey };
      return mapFound(await readItem(client, tables.businessKeys, key, options), claimFromItem);
    },
  };
}

/** Builds the transaction, apart from sending it. The input is frozen and is sent as it is. */
export function planCommit(
  record: CommittedRecord,
  { job, claimKey }: ExportJobEffect,
  { tables, due }: { readonly tables: TableNames; readonly due: DueTimes & RequestLife },
): Plan {
  const { job: jobItem, request } = newJobItems(job, due);
  const { idempotencyKeys, exportJobs, businessKeys } = TABLES;
  const actions: TransactWriteItem[] = [
    putNew(tables.idempotencyKeys, idempotencyKeys.hash, recordToItem(record), 'ALL_OLD'),
    putNew(tables.exportJobs, exportJobs.range, jobItem),
  ];
  if (request) actions.push(putNew(tables.exportJobs, exportJobs.range, request));
  if (claimKey !== undefined) {
    const claim = claimToItem(claimKey, {
      recordKey: record.recordKey,
      resourceId: job.jobId,
      createdAtMs: job.createdAtMs,
    });
    actions.push(putNew(tables.businessKeys, businessKeys.hash, claim, 'ALL_OLD'));
  }
  return {
    input: Object.freeze({ TransactItems: actions, ReturnConsumedCapacity: 'INDEXES' as const }),
    claimAt: claimKey === undefined ? undefined : actions.length - 1,
  };
}

/** The table of architecture.md, from the store's side: reasons are read by position, all of them. */
export function commitResult(answer: TransactionAnswer, claimAt: number | undefined): CommitResult {
  switch (answer.kind) {
    case 'applied':
      return { kind: 'committed' };
    case 'cancelled':
      return cancelledResult(answer.reasons, claimAt);
    case 'not-applied':
    case 'unknown':
      return answer;
  }
}

function cancelledResult(reasons: readonly Reason[], claimAt: number | undefined): CommitResult {
  const onRecord = reasons[0];
  const onClaim = claimAt === undefined ? undefined : reasons[claimAt];
  if (onRecord?.code === 'ConditionFailed') {
    const record = onRecord.item && recordFromItem(onRecord.item);
    return { kind: 'record-exists', ...(record && { record }) };
  }
  if (onRecord?.code === 'None' && onClaim?.code === 'ConditionFailed') {
    const claim = onClaim.item && claimFromItem(onClaim.item);
    return { kind: 'claim-taken', ...(claim && { claim }) };
  }
  const codes = new Set(reasons.map(({ code }) => code));
  if (codes.has('Conflict')) return { kind: 'not-applied', why: 'conflict' };
  if (codes.has('Throttled')) return { kind: 'not-applied', why: 'throttled' };
  if (codes.has('Refused')) return { kind: 'not-applied', why: 'refused' };
  return { kind: 'unknown', why: 'a cancellation for a reason that no action of ours can have' };
}

function putNew(
  TableName: string,
  key: string,
  Item: Item,
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' | 'NONE' = 'NONE',
): TransactWriteItem {
  return {
    Put: {
      TableName,
      Item,
      ConditionExpression: `attribute_not_exists(${key})`,
      ReturnValuesOnConditionCheckFailure,
    },
  };
}
