// What a caller would be told at this instant, by the rules that answer callers. Pure.

import { PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import { type EpochMs, rfc3339 } from '#idempotency/epoch.ts';
import { type IdempotencyRecord, judge } from '#idempotency/record.ts';
import { admit, isBelowFloor, isExpired, keyHorizon } from '#idempotency/retention.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import type { Intent } from '#ops/inspect/intent.ts';

export type Told = {
  /** What the caller does. */
  readonly when: string;
  /** A code of the catalogue, or the good answer in a word. */
  readonly answer: ProblemCode | 'created' | 'replayed' | 'found' | 'abandoned';
  readonly sentence: string;
};

export function toldNow(intent: Intent, nowMs: EpochMs, policy: RetentionPolicy): Told[] {
  const { key } = intent;
  if (!key) return [];
  const create = answerToCreate(intent, nowMs, policy);
  const other: Told =
    create.answer === 'replayed'
      ? problem('other parameters under this key', 'idempotency-key-reused')
      : { ...create, when: 'other parameters under this key' };
  return [create, other, answerToLookUp(intent, nowMs, policy), answerToAbandon(intent.record)];
}

function answerToCreate(intent: Intent, nowMs: EpochMs, policy: RetentionPolicy): Told {
  const when = 'the same request again';
  const { record, key, claim, recordKey } = intent;
  if (record) {
    // Its own fingerprint: the same request.
    const sent = record.state === 'committed' ? record.fingerprint : { whole: '', members: {} };
    const verdict = judge(record, sent, nowMs);
    switch (verdict.kind) {
      case 'abandoned':
        return problem(when, 'operation-abandoned');
      case 'expired':
        return problem(
          when,
          'idempotency-key-expired',
          `; job ${verdict.record.resourceId} is named`,
        );
      case 'unreadable':
        return problem(when, 'outcome-unknown', '; the fingerprint is of a newer release');
      case 'reused':
      case 'replayed': {
        const { resourceId, expiresAtMs } = verdict.record;
        return {
          when,
          answer: 'replayed',
          sentence: `the original answer, job ${resourceId}, until ${rfc3339(expiresAtMs)}`,
        };
      }
    }
  }
  const admission = key && admit(key, nowMs, policy);
  if (admission?.kind === 'in-future') return problem(when, 'idempotency-key-in-future');
  const ownClaim = claim && claim.recordKey === recordKey;
  if (admission?.kind === 'too-old' || ownClaim) {
    const named = ownClaim ? `; job ${claim.resourceId} is named` : '';
    return problem(when, 'idempotency-key-expired', named);
  }
  if (claim) return problem(when, 'source-batch-taken', `; job ${claim.resourceId} is named`);
  return { when, answer: 'created', sentence: 'executed: a new job is made' };
}

function answerToLookUp({ record, key }: Intent, nowMs: EpochMs, policy: RetentionPolicy): Told {
  const when = 'a look-up';
  if (record) {
    const expired = isExpired(record, nowMs) ? ', expired' : '';
    return { when, answer: 'found', sentence: `${record.state}${expired}` };
  }
  const horizon = key && keyHorizon(key, policy);
  if (!key || !horizon)
    return problem(when, 'operation-not-found', ', never definitive for an opaque key');
  const { definitiveFromMs, definitiveUntilMs } = horizon;
  if (isBelowFloor(key, policy)) {
    return problem(when, 'operation-not-found', ', never definitive below the floor of a restore');
  }
  const definitive = nowMs >= definitiveFromMs && nowMs < definitiveUntilMs;
  return problem(
    when,
    'operation-not-found',
    definitive
      ? ', definitive'
      : `, definitive from ${rfc3339(definitiveFromMs)} until ${rfc3339(definitiveUntilMs)}`,
  );
}

function answerToAbandon(record: IdempotencyRecord | undefined): Told {
  const when = 'an abandon';
  if (record?.state === 'committed') return problem(when, 'operation-committed');
  return { when, answer: 'abandoned', sentence: 'the key will not be executed' };
}

function problem(when: string, code: ProblemCode, more = ''): Told {
  return { when, answer: code, sentence: `${PROBLEMS[code].title}${more}` };
}
