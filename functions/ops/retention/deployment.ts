// Would the functions start with this schedule, and could they write with it? Asked of the very code that
// decides: the configuration is read as a function reads it, a record is made as the store makes it.

import { ConfigError, environmentSchema, readConfig } from '#handlers/config.ts';
import { epochMs } from '#idempotency/epoch.ts';
import { recordLife } from '#idempotency/retention.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import { written } from '#ops/retention/change.ts';
import { durationText } from '#ops/retention/duration-text.ts';
import type { Refusal } from '#ops/retention/refusal.ts';
import { recordToItem } from '#store/record-item.ts';
import { StoreFault } from '#store/store-fault.ts';

export type Deployment = {
  /** `local`, or any name of a deployed stage: its minima apply. */
  readonly stage: string;
  /** JOB_RETENTION, ISO 8601, as published. */
  readonly jobRetention: string;
};

/** Bytes that Lambda gives all variables of a function together. */
export const LAMBDA_ENVIRONMENT_BYTES_MAX = 4_096;

export function deploymentRefusals(proposed: RetentionPolicy, deployment: Deployment): Refusal[] {
  const said = startFault(proposed, deployment) ?? writeFault(proposed);
  return said === undefined ? [] : [{ kind: 'does-not-start', ...said }];
}

type Said = Pick<Refusal, 'sentence' | 'counterExample'>;

function startFault(proposed: RetentionPolicy, { stage, jobRetention }: Deployment) {
  // Names of tables and the like are needed to read the rest; any will do.
  const needed = Object.keys(environmentSchema.shape)
    .filter((name) => /^(TABLE_|EXPORTS_BUCKET|RUN_JOB_FUNCTION)/.test(name))
    .map((name) => [name, 'any-name']);
  try {
    readConfig({
      ...Object.fromEntries(needed),
      STAGE: stage,
      RETENTION_SCHEDULE: JSON.stringify(written(proposed)),
      RETENTION_RESERVE: proposed.reserve,
      JOB_RETENTION: jobRetention,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      sentence: 'no function would start with this schedule',
      counterExample: error.message,
    } satisfies Said;
  }
}

/** The store refuses a record that TTL would keep for more than a year past its expiry. */
function writeFault(proposed: RetentionPolicy) {
  for (const { fromMs, graceMs } of proposed.schedule) {
    const nowMs = epochMs(fromMs);
    const key = { kind: 'opaque', value: 'any' } as const;
    try {
      recordToItem({
        state: 'abandoned',
        recordKey: 'any',
        attemptId: 'any',
        committedAtMs: nowMs,
        ...recordLife(key, nowMs, proposed),
      });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      return {
        sentence: `with a grace of ${durationText(graceMs)} the store would refuse every record`,
        counterExample: `${error.message}: every create would be answered 500.`,
      } satisfies Said;
    }
  }
  return undefined;
}
