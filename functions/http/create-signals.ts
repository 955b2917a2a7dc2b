// What one create attempt says of itself: metrics for alarms, and notes in its log line from which an
// operator learns how late retries really come.

import type { Measure, MetricName } from '#contract/metrics.ts';
import type { CreateOutcome } from '#export-jobs/create-export-job.ts';
import type { LogFields } from '#http/request.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import { entryInForce, type RetentionPolicy } from '#idempotency/retention-schedule.ts';

const ATTEMPTS = {
  created: 'AttemptCreated',
  replayed: 'AttemptReplayed',
  reused: 'AttemptReused',
  expired: 'AttemptExpired',
  abandoned: 'AttemptAbandoned',
  'claim-taken': 'AttemptBatchTaken',
  'in-future': 'AttemptInFuture',
  'outcome-unknown': 'AttemptUnknown',
  'store-unavailable': 'AttemptStoreUnavailable',
  'deadline-passed': 'AttemptDeadlinePassed',
  invalid: 'AttemptInvalid',
} as const satisfies Record<CreateOutcome['kind'], MetricName>;

export type Attempted = {
  readonly key: IdempotencyKey;
  readonly outcome: CreateOutcome;
  readonly nowMs: EpochMs;
  readonly writes: number;
  readonly retention: RetentionPolicy;
};

export function signalCreate(attempted: Attempted, measure: Measure, notes: LogFields): void {
  const { key, outcome, nowMs, writes, retention } = attempted;
  measure(ATTEMPTS[outcome.kind], 1);
  if (writes > 0) measure('CreateTries', writes);
  if (outcome.kind === 'created' && outcome.recovered) measure('AttemptRecovered', 1);
  notes.outcome = outcome.kind;
  notes.keyKind = key.kind;
  notes.tries = writes;
  if (outcome.kind === 'created') notes.recovered = outcome.recovered;
  const startMs = startOf(key, outcome);
  if (startMs === undefined) return;
  const latenessMs = nowMs - startMs;
  notes.latenessMs = latenessMs;
  if (outcome.kind === 'replayed') {
    const { windowMs } = entryInForce(retention, startMs);
    measure('ReplayAge', latenessMs);
    measure('ReplayAgeShare', (100 * latenessMs) / windowMs);
  }
  if (outcome.kind === 'expired') measure('LateArrivalRefused', 1);
}

/** When the window of this key began: at the mint, or at the commit where a record tells. */
function startOf(key: IdempotencyKey, outcome: CreateOutcome): EpochMs | undefined {
  if (key.kind === 'time-stamped') return key.mintedAtMs;
  if (outcome.kind === 'replayed' || outcome.kind === 'reused') return outcome.record.committedAtMs;
  if (outcome.kind === 'expired') return outcome.committedAtMs;
  return undefined;
}
