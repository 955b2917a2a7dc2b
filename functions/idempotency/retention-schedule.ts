// How long keys are kept: a schedule of dated entries. A key is judged by the entry in force when it was
// minted (time-stamped) or committed (opaque). Entries are only ever appended, so that two running
// versions never judge one key differently. The first entry also judges whatever is older.

import * as z from 'zod';
import { parseDurationMs } from '#idempotency/duration.ts';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';

export type RetentionEntry = {
  readonly fromMs: EpochMs;
  readonly windowMs: number;
  readonly graceMs: number;
  /** As configured, ISO 8601, for publication. */
  readonly window: string;
  readonly grace: string;
};

export type RetentionPolicy = {
  readonly schedule: readonly [RetentionEntry, ...RetentionEntry[]];
  /** Longer than any write can be under way plus twice the clock error. */
  readonly reserveMs: number;
  readonly reserve: string;
  /** Time-stamped keys minted before this instant are refused: set after a restore. */
  readonly admitNotBeforeMs?: EpochMs;
};

/** Smallest values a stage accepts, milliseconds. */
export type RetentionMinima = {
  readonly windowMs: number;
  readonly graceMs: number;
  readonly reserveMs: number;
};

export type Parsed<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly sentence: string };

/** Longer ones are mistakes of a unit. */
const DURATION_MS_MAX = 365 * 86_400_000;

const entriesSchema = z.array(
  z.strictObject({
    from: z.iso.datetime({ offset: true }),
    window: z.string(),
    grace: z.string(),
  }),
);

/** Reads a schedule from its JSON. A refusal names the entry, counted from 1. */
export function parseRetentionSchedule(
  json: string,
  minima: RetentionMinima,
): Parsed<RetentionPolicy['schedule']> {
  const parsed = entriesSchema.safeParse(jsonOrUndefined(json));
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path ?? [];
    const where = typeof path[0] === 'number' ? `entry ${path[0] + 1}` : 'the schedule';
    return refused(
      `${where} is not of the form [{"from":"2026-01-01T00:00:00Z","window":"PT24H","grace":"PT24H"}]`,
    );
  }
  const entries: RetentionEntry[] = [];
  for (const [index, { from, window, grace }] of parsed.data.entries()) {
    const name = `entry ${index + 1} (from ${from})`;
    const windowMs = parseDurationMs(window);
    const graceMs = parseDurationMs(grace);
    if (windowMs === undefined) return refused(`${name} has a window that is no duration`);
    if (graceMs === undefined) return refused(`${name} has a grace that is no duration`);
    if (windowMs < minima.windowMs) {
      return refused(`${name} has a window under the smallest of ${minima.windowMs / 1000} s`);
    }
    if (graceMs < minima.graceMs) {
      return refused(`${name} has a grace under the smallest of ${minima.graceMs / 1000} s`);
    }
    if (Math.max(windowMs, graceMs) > DURATION_MS_MAX) {
      return refused(`${name} has a duration over the largest of 365 days`);
    }
    if (Date.parse(from) < 0) return refused(`${name} starts before 1970`);
    const fromMs = epochMs(Date.parse(from));
    const previous = entries.at(-1);
    if (previous && fromMs === previous.fromMs) {
      return refused(`${name} overlaps entry ${index}: both start at the same instant`);
    }
    if (previous && fromMs < previous.fromMs) {
      return refused(`${name} is out of order: it starts before entry ${index}`);
    }
    entries.push({ fromMs, windowMs, graceMs, window, grace });
  }
  const [first, ...rest] = entries;
  if (!first) return refused('the schedule is empty: it needs at least one entry');
  return { kind: 'ok', value: [first, ...rest] };
}

/** The entry in force at an instant; the first one for whatever is older. */
export function entryInForce(policy: RetentionPolicy, atMs: EpochMs): RetentionEntry {
  return policy.schedule.findLast((entry) => entry.fromMs <= atMs) ?? policy.schedule[0];
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(sentence: string): { kind: 'refused'; sentence: string } {
  return { kind: 'refused', sentence };
}
