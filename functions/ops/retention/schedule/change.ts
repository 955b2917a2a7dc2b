// A change of the schedule, as values: what is in force, what is proposed, when it is deployed, and where
// the two judge keys differently.

import { CLOCK_SKEW_MS_MAX } from '#contract/limits.ts';
import { type EpochMs, epochMs, rfc3339 } from '#idempotency/epoch.ts';
import { KEY_IN_FUTURE_MS_MAX } from '#idempotency/retention.ts';
import {
  entryInForce,
  type Parsed,
  parseRetentionSchedule,
  type RetentionEntry,
  type RetentionPolicy,
} from '#idempotency/retention-schedule.ts';
import { durationText, instantText } from '#ops/retention/output/duration-text.ts';

/**
 * From the deployment until no function of the release before can still run, milliseconds. The contract
 * asks for entries that start no earlier than that.
 */
export const ROLLOUT_MS = 24 * 3_600_000;
/**
 * Of that time functions of the release before run but for the last six minutes: they would take a key
 * that is minted five minutes ahead by a clock that is a minute off, and judge it without the new entry.
 */
export const OLD_GONE_MS = ROLLOUT_MS - KEY_IN_FUTURE_MS_MAX - CLOCK_SKEW_MS_MAX;
const MINUTE_MS = 60_000;
/** Any schedule of the right form is read; what is too small is refused with a reason of its own. */
const NO_MINIMA = { windowMs: 1, graceMs: 1, reserveMs: 1 };

export type Change = {
  readonly inForce: RetentionPolicy;
  readonly proposed: RetentionPolicy;
  /** When the new release begins to answer, at the latest. */
  readonly deployMs: EpochMs;
};

export type NewEntry = {
  readonly window: string;
  readonly grace?: string;
  readonly from?: string;
};

/** Appends one entry. Without `from` it starts as early as allowed, on a whole minute. */
export function appended(
  inForce: RetentionPolicy,
  { window, grace, from }: NewEntry,
  deployMs: EpochMs,
): Parsed<RetentionPolicy> {
  const last = inForce.schedule.at(-1) ?? inForce.schedule[0];
  const earliestMs = epochMs(
    Math.ceil(Math.max(deployMs + ROLLOUT_MS, last.fromMs + MINUTE_MS) / MINUTE_MS) * MINUTE_MS,
  );
  const entry = { from: from ?? rfc3339(earliestMs), window, grace: grace ?? last.grace };
  return readProposal(inForce, JSON.stringify([...written(inForce), entry]));
}

/** A whole schedule as the operator wrote it. */
export function readProposal(inForce: RetentionPolicy, json: string): Parsed<RetentionPolicy> {
  const parsed = parseRetentionSchedule(json, NO_MINIMA);
  return parsed.kind === 'ok'
    ? { kind: 'ok', value: { ...inForce, schedule: parsed.value } }
    : parsed;
}

export type WrittenEntry = {
  readonly from: string;
  readonly window: string;
  readonly grace: string;
};

/** As RETENTION_SCHEDULE takes it. */
export function written({ schedule }: Pick<RetentionPolicy, 'schedule'>): WrittenEntry[] {
  return schedule.map(({ fromMs, window, grace }) => ({
    from: rfc3339(fromMs).replace('.000Z', 'Z'),
    window,
    grace,
  }));
}

export function sameEntry(a: RetentionEntry | undefined, b: RetentionEntry | undefined): boolean {
  return a !== undefined && b !== undefined && a.fromMs === b.fromMs && sameLife(a, b);
}

export function sameLife(a: RetentionEntry, b: RetentionEntry): boolean {
  return a.windowMs === b.windowMs && a.graceMs === b.graceMs;
}

export type Difference = {
  /** Keys of [fromMs, toMs) are judged differently. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly before: RetentionEntry;
  readonly after: RetentionEntry;
};

/** Where the two schedules judge keys differently, in order. */
export function differencesOf({ inForce, proposed }: Change): Difference[] {
  const starts = new Set([0, ...inForce.schedule.map(startOf), ...proposed.schedule.map(startOf)]);
  const edges = [...starts].sort((a, b) => a - b);
  return edges.flatMap((fromMs, index) => {
    const before = entryInForce(inForce, epochMs(fromMs));
    const after = entryInForce(proposed, epochMs(fromMs));
    if (sameLife(before, after)) return [];
    return [{ fromMs, toMs: edges[index + 1] ?? Number.POSITIVE_INFINITY, before, after }];
  });
}

export function entryText({ fromMs, windowMs, graceMs }: RetentionEntry): string {
  return `from ${instantText(fromMs)}: window ${durationText(windowMs)}, grace ${durationText(graceMs)}`;
}

function startOf({ fromMs }: RetentionEntry): number {
  return fromMs;
}
