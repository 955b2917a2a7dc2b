// After a restore: how far each table reaches, what may be lost, what came back to life, and the floor
// below which time-stamped keys must be refused. Pure.
//
// A record of the last minutes may be gone while its job was made: its key would make a second one. The
// floor refuses every time-stamped key that was admitted before creates were stopped and has no record any
// more. Keys may be minted a little ahead of our clock: the floor lies that much after the stop.

import { CLOCK_SKEW_MS_MAX } from '#contract/limits.ts';
import { KEY_IN_FUTURE_MS_MAX } from '#idempotency/retention.ts';
import type { AuditedTable } from '#ops/audit/items.ts';
import type { Violation, ViolationCode } from '#ops/audit/violation.ts';

export type AfterRestore = {
  /** The instant that the tables were restored to. */
  readonly restoredToMs: number;
};

export type RestoreReport = {
  readonly newestMs: Readonly<Record<AuditedTable, number>>;
  readonly lost: readonly string[];
  readonly revived: readonly string[];
  readonly floor: string;
  readonly violations: readonly Violation[];
};

type Found = {
  readonly newestMs: Readonly<Record<AuditedTable, number>>;
  readonly unfinished: number;
  readonly violations: readonly Violation[];
  readonly floorMs: number | undefined;
};

/** A key is admitted up to five minutes before it was minted, by a clock up to a minute off. */
const MINTED_AHEAD_MS = KEY_IN_FUTURE_MS_MAX + CLOCK_SKEW_MS_MAX;

/** Tables that create writes in one transaction: restored to one instant, they end together. */
const TOGETHER_MS = 1_000;

export function afterRestore({ restoredToMs }: AfterRestore, found: Found): RestoreReport {
  const { newestMs, unfinished, violations, floorMs } = found;
  const count = (code: ViolationCode) => violations.filter((one) => one.code === code).length;
  const lost = [
    `Keys, jobs and claims that were made after ${iso(restoredToMs)} and before creates were stopped: their number cannot be known. Opaque keys among them make a second job when they come again; look at the logs of create-export-job for "outcome":"created" in that time.`,
    ...counted(count('job-without-record'), 'jobs whose key record is gone'),
    ...counted(count('job-without-claim'), 'jobs whose batch is free again'),
    ...counted(count('record-without-job'), 'keys whose job is gone: replays still name it'),
    ...counted(count('claim-without-job'), 'batches that are taken by a job that is gone'),
    ...unlikeEnds(newestMs),
  ];
  const revived = [
    ...counted(unfinished, 'jobs are unfinished: they run, maybe again, into files of their own'),
    ...counted(
      count('notification-owed'),
      'notifications are owed, maybe again, under their old ID',
    ),
    ...counted(count('past-purge'), 'items are back that had been purged: TTL removes them again'),
  ];
  const knownMs = Math.max(restoredToMs, ...Object.values(newestMs));
  const leastMs = knownMs + MINTED_AHEAD_MS;
  const floorIsSet = floorMs !== undefined && floorMs >= leastMs;
  return {
    newestMs,
    lost,
    revived,
    floor: floorIsSet
      ? `ADMIT_NOT_BEFORE is ${iso(floorMs)}. It must be six minutes after creates were stopped, or later.`
      : `Set admitNotBefore to six minutes after creates were stopped, ${iso(leastMs)} or later, and start them again after it.`,
    violations: floorIsSet
      ? []
      : [
          {
            code: 'floor-missing',
            table: 'idempotencyKeys',
            item: 'ADMIT_NOT_BEFORE',
            detail: floorMs === undefined ? 'is not set' : `is ${iso(floorMs)}, too early`,
          },
        ],
  };
}

function unlikeEnds(newestMs: Found['newestMs']): string[] {
  const { idempotencyKeys, exportJobs } = newestMs;
  if (Math.abs(idempotencyKeys - exportJobs) <= TOGETHER_MS) return [];
  return [
    `Keys end at ${iso(idempotencyKeys)} and jobs at ${iso(exportJobs)}: were they restored to one instant?`,
  ];
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

function iso(ms: number): string {
  return ms === 0 ? 'nothing' : new Date(ms).toISOString();
}
