// Durations and instants as people read them, and as a schedule takes them.

import { Temporal } from 'temporal-polyfill';
import { parseDurationMs } from '#idempotency/duration.ts';
import { OpsError } from '#ops/ops-error.ts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Days from here on: windows are spoken of in hours, `36 h`, `48 h`. */
const DAYS_FROM_MS = 72 * 3_600_000;

/** Two units at most: `5 d 4 h`, `36 h`, `36 min 5 s`, `1.5 s`, `250 ms`. */
export function durationText(ms: number): string {
  if (ms < 0) return `-${durationText(-ms)}`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(1))} s`;
  const [index, [unit, unitMs]] = largestUnit(ms);
  const next = UNITS[index + 1];
  if (!next) return `${Math.round(ms / unitMs)} ${unit}`;
  const inNext = Math.round(ms / next[1]);
  const perUnit = unitMs / next[1];
  const rest = inNext % perUnit;
  return `${Math.floor(inNext / perUnit)} ${unit}${rest === 0 ? '' : ` ${rest} ${next[0]}`}`;
}

function largestUnit(ms: number): [number, (typeof UNITS)[number]] {
  const index = UNITS.findIndex(([unit, unitMs]) => ms >= (unit === 'd' ? DAYS_FROM_MS : unitMs));
  return [index, UNITS[index] ?? UNITS[3]];
}

/** ISO 8601, as a schedule and `--window` take it: `PT36H5M`. Whole seconds, and no days. */
export function isoDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return Temporal.Duration.from({ seconds }).round({ largestUnit: 'hours' }).toString();
}

/** Up to the next whole second, minute or quarter of an hour: a window that can be said and typed. */
export function roundedUp(ms: number): number {
  const stepMs = ms <= 60_000 ? 1_000 : ms <= 3_600_000 ? 60_000 : 15 * 60_000;
  return Math.ceil(ms / stepMs) * stepMs;
}

/** `2026-12-01 14:05:00Z`, seconds only where there are any. */
export function instantText(atMs: number): string {
  const text = new Date(atMs).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}Z`.replace(/:00Z$/, 'Z');
}

/** @throws OpsError */
export function durationOption(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === undefined) throw new OpsError(`"${text}" is no ISO 8601 duration such as PT48H.`);
  return ms;
}
