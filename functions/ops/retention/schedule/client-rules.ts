// Rules of use: a look-up must be able to be definitive, and the window must hold the retries that clients
// make, by their own word and by what a report has seen.

import { KEY_IN_FUTURE_MS_MAX, keyHorizon } from '#idempotency/retention.ts';
import type { RetentionEntry } from '#idempotency/retention-schedule.ts';
import { shareText } from '#ops/retention/logs/find.ts';
import { type Findings, seenBeyond } from '#ops/retention/logs/findings.ts';
import { durationText, instantText } from '#ops/retention/output/duration-text.ts';
import { numberText } from '#ops/retention/output/text-table.ts';
import { newEntries } from '#ops/retention/schedule/appending-rules.ts';
import { type Change, sameEntry } from '#ops/retention/schedule/change.ts';
import type { Refusal } from '#ops/retention/schedule/refusal.ts';

export type ClientNeeds = {
  /** How long clients go on retrying, milliseconds. */
  readonly retryHorizonMs?: number;
  readonly findings?: Findings;
  /** Share of the retries seen that the new window must cover. */
  readonly coverage: number;
};

export function clientRefusals(change: Change, needs: ClientNeeds): Refusal[] {
  return [...graceTooShort(change), ...retryHorizon(change, needs), ...retriesSeen(change, needs)];
}

/** A look-up is definitive between reserve and grace − reserve after the window: that must not be empty. */
function graceTooShort({ proposed, inForce }: Change): Refusal[] {
  for (const entry of proposed.schedule) {
    if (inForce.schedule.some((each) => sameEntry(each, entry))) continue;
    const mintedAtMs = entry.fromMs;
    const horizon = keyHorizon({ kind: 'time-stamped', value: 'any', mintedAtMs }, proposed);
    if (!horizon || horizon.definitiveFromMs < horizon.definitiveUntilMs) continue;
    return [
      {
        kind: 'grace-too-short',
        sentence: `a grace of ${durationText(entry.graceMs)} is not longer than twice the reserve of ${durationText(proposed.reserveMs)}`,
        counterExample: `A key minted at ${instantText(mintedAtMs)} could be written until ${instantText(horizon.definitiveFromMs)} and its record be gone by ${instantText(horizon.definitiveUntilMs)}, clocks and writes under way allowed for: no look-up of it is ever definitive.`,
      },
    ];
  }
  return [];
}

function retryHorizon(change: Change, { retryHorizonMs }: ClientNeeds): Refusal[] {
  if (retryHorizonMs === undefined) return [];
  const neededMs = retryHorizonMs + KEY_IN_FUTURE_MS_MAX;
  const short = newEntries(change).find(([entry]) => entry.windowMs < neededMs)?.[0];
  if (!short) return [];
  return [
    {
      kind: 'retry-horizon',
      sentence: `clients retry for ${durationText(retryHorizonMs)}, and a clock may be wrong by ${durationText(KEY_IN_FUTURE_MS_MAX)}: the window must be at least ${durationText(neededMs)}`,
      counterExample: refusedRetry(short, neededMs, 'the last retry'),
    },
  ];
}

function retriesSeen(change: Change, { findings, coverage }: ClientNeeds): Refusal[] {
  if (!findings || findings.retries.count === 0) return [];
  for (const [entry] of newEntries(change)) {
    const { retries, firsts } = seenBeyond(findings, entry.windowMs);
    const arrivals = findings.retries.count + findings.firsts.count;
    const allowed = Math.floor((1 - coverage) * findings.retries.count + 1e-9);
    if (retries <= allowed && firsts <= Math.floor((1 - coverage) * arrivals + 1e-9)) continue;
    const latenessMs = Math.max(findings.retries.largestMs ?? 0, findings.firsts.largestMs ?? 0);
    const needed = findings.covers.find(({ share }) => share > coverage - 1e-9);
    return [
      {
        kind: 'retries-seen',
        sentence: `of ${numberText(findings.retries.count)} retries and ${numberText(findings.firsts.count)} first attempts seen, this window would have refused ${numberText(retries)} and ${numberText(firsts)}; it must cover ${shareText(coverage)}${needed ? ` (${durationText(needed.windowMs)} would)` : ''}`,
        counterExample: refusedRetry(entry, latenessMs, 'an attempt as late as the latest seen'),
      },
    ];
  }
  return [];
}

function refusedRetry(entry: RetentionEntry, latenessMs: number, who: string): string {
  const mintedAtMs = entry.fromMs;
  return `A key minted at ${instantText(mintedAtMs)}: ${who} comes ${durationText(latenessMs)} later, at ${instantText(mintedAtMs + latenessMs)}, and is refused with 412 since ${instantText(mintedAtMs + entry.windowMs)}.`;
}
