// Commit-once on DynamoDB, for any operation: one transaction of the key record, the puts of the effect
// and, where asked, a permanent claim. All of it or nothing; every put is conditional, so that a late
// re-application changes nothing. What the effect is, the operation says; this file knows only the order.

import {
  type Claim,
  type CommitPort,
  type CommitResult,
  mapFound,
} from '#idempotency/commit-port.ts';
import type { CommittedRecord, IdempotencyRecord } from '#idempotency/record.ts';
import { claimFromItem, claimToItem } from '#store/claim-item.ts';
import type { Dynamo, Reason, TransactAnswer } from '#store/dynamo.ts';
import { putNew, type TransactAction, type View, view } from '#store/dynamo-input.ts';
import type { Item } from '#store/item.ts';
import { recordToItem } from '#store/record-item.ts';
import { TABLES } from '#store/tables.ts';

/** What one operation writes, and where. */
export type CommitPlan<Effect> = {
  readonly records: View<IdempotencyRecord>;
  readonly claims: View<Claim>;
  /** The effect's own actions, each with a condition. */
  readonly actionsOf: (effect: Effect) => readonly TransactAction[];
  /** Key of the permanent claim, where the effect makes one. */
  readonly claimKeyOf: (effect: Effect) => string | undefined;
};

export function claimsIn(table: string): View<Claim> {
  return view(table, TABLES.businessKeys, claimFromItem);
}

export function createCommitStore<Effect>(
  dynamo: Dynamo,
  plan: CommitPlan<Effect>,
): CommitPort<Effect> {
  const { records, claims, claimKeyOf } = plan;
  return {
    readRecord: (recordKey, options) => dynamo.get(records, { [records.hash]: recordKey }, options),

    prepare(record, effect) {
      const actions = commitActions(record, effect, plan);
      const claimAt = claimKeyOf(effect) === undefined ? undefined : actions.length - 1;
      const read = { record: records.read, claim: claims.read, claimAt };
      return {
        send: async (options) => commitResult(await dynamo.transact(actions, options), read),
      };
    },

    async readClaim(effect, options) {
      const claimKey = claimKeyOf(effect);
      if (claimKey === undefined) return { kind: 'none' };
      return dynamo.get(claims, { [claims.hash]: claimKey }, options);
    },
  };
}

/** Builds the transaction, apart from sending it: record first, claim last. It is sent as it is. */
export function commitActions<Effect>(
  record: CommittedRecord,
  effect: Effect,
  { records, claims, actionsOf, claimKeyOf }: CommitPlan<Effect>,
): readonly TransactAction[] {
  const actions = [
    putNew(records, { item: recordToItem(record) }, 'ALL_OLD'),
    ...actionsOf(effect),
  ];
  const claimKey = claimKeyOf(effect);
  if (claimKey !== undefined) {
    const { recordKey, resourceId, committedAtMs: createdAtMs } = record;
    const claim = claimToItem(claimKey, { recordKey, resourceId, createdAtMs });
    actions.push(putNew(claims, { item: claim }, 'ALL_OLD'));
  }
  return Object.freeze(actions);
}

type Reading = {
  readonly record: (item: Item) => IdempotencyRecord;
  readonly claim: (item: Item) => Claim;
  /** Position of the claim among the actions. */
  readonly claimAt: number | undefined;
};

/** The table of architecture.md, from the store's side: reasons are read by position, all of them. */
export function commitResult(answer: TransactAnswer, reading: Reading): CommitResult {
  switch (answer.kind) {
    case 'applied':
      return { kind: 'committed' };
    case 'cancelled':
      return cancelledResult(answer.reasons, reading);
    case 'not-applied':
    case 'unknown':
      return answer;
  }
}

function cancelledResult(
  reasons: readonly Reason[],
  { record, claim, claimAt }: Reading,
): CommitResult {
  const onRecord = reasons[0];
  const onClaim = claimAt === undefined ? undefined : reasons[claimAt];
  if (onRecord?.code === 'ConditionFailed') {
    const stands = mapFound(onRecord.standing, record);
    return stands.kind === 'found'
      ? { kind: 'record-exists', record: stands.value }
      : { kind: 'unknown', why: 'a record stood in the way and cannot be read' };
  }
  if (onRecord?.code === 'None' && onClaim?.code === 'ConditionFailed') {
    const stands = mapFound(onClaim.standing, claim);
    return stands.kind === 'found'
      ? { kind: 'claim-taken', claim: stands.value }
      : { kind: 'unknown', why: 'a claim stood in the way and cannot be read' };
  }
  return (
    notApplied(reasons) ?? {
      kind: 'unknown',
      why: 'a cancellation for a reason that no action of ours can have',
    }
  );
}

/** Any conflict or throttle among the reasons: this try wrote nothing, whatever else stands there. */
export function notApplied(reasons: readonly Reason[]) {
  const codes = new Set(reasons.map(({ code }) => code));
  if (codes.has('Conflict')) return { kind: 'not-applied', why: 'conflict' } as const;
  if (codes.has('Throttled')) return { kind: 'not-applied', why: 'throttled' } as const;
  if (codes.has('Refused')) return { kind: 'not-applied', why: 'refused' } as const;
  return undefined;
}
