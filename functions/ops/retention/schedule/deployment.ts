// Would the functions start with this schedule? Asked of the very code that decides: the configuration is
// read as a function of that stage reads it. Must never hold a minimum of its own.

import { ConfigError, environmentSchema, readConfig } from '#handlers/config.ts';
import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import { written } from '#ops/retention/schedule/change.ts';
import type { Refusal } from '#ops/retention/schedule/refusal.ts';

export type Deployment = {
  /** `local`, or any name of a deployed stage: its minima apply. */
  readonly stage: string;
  /** JOB_RETENTION, ISO 8601, as published. */
  readonly jobRetention: string;
};

/** Bytes that Lambda gives all variables of a function together. */
export const LAMBDA_ENVIRONMENT_BYTES_MAX = 4_096;

export function deploymentRefusals(proposed: RetentionPolicy, deployment: Deployment): Refusal[] {
  const said = startFault(proposed, deployment);
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
