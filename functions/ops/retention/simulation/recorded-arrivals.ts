// Attempts from logs as arrivals to be played: who came when, by key hash. Bounded: above a limit only a
// share of the keys is kept, each with all its attempts, so that no retry loses its first attempt.

import { epochMs } from '#idempotency/epoch.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import { PLAUSIBLE_LATENESS_MS_MAX } from '#ops/retention/logs/arrivals-tally.ts';
import type { CreateAttempt } from '#ops/retention/logs/create-attempt-line.ts';
import type { Arrival } from '#ops/retention/simulation/play.ts';

/** Outcomes that mean: an attempt with the parameters of its key came. Others do not touch its life. */
const PLAYED: ReadonlySet<string> = new Set(['created', 'replayed', 'expired', 'outcome-unknown']);
const MET_A_RECORD = 'replayed';

export type Recording = {
  readonly add: (attempt: CreateAttempt) => void;
  /** In order of time; a key whose first attempt came before the recording gets one at its mint. */
  readonly arrivals: () => Arrival[];
  /** One key in so many was kept. */
  readonly oneIn: () => number;
};

/** @param attemptsMax kept in memory, some 200 bytes each */
export function recordArrivals(attemptsMax: number): Recording {
  let kept: (CreateAttempt & { readonly keyHash: string })[] = [];
  let oneIn = 1;
  return {
    oneIn: () => oneIn,
    add: (attempt) => {
      const { keyHash, outcome, latenessMs = 0 } = attempt;
      if (latenessMs > PLAUSIBLE_LATENESS_MS_MAX) return;
      if (keyHash === undefined || !PLAYED.has(outcome) || hashNumber(keyHash) % oneIn !== 0)
        return;
      kept.push({ ...attempt, keyHash });
      if (kept.length <= attemptsMax) return;
      oneIn *= 2;
      kept = kept.filter((each) => hashNumber(each.keyHash) % oneIn === 0);
    },
    arrivals: () => {
      const known = new Set<string>();
      return kept
        .toSorted((a, b) => a.atMs - b.atMs)
        .flatMap((attempt) => {
          const first = !known.has(attempt.keyHash);
          known.add(attempt.keyHash);
          return arrivalsOf(attempt, first);
        })
        .sort((a, b) => a.atMs - b.atMs);
    },
  };
}

function arrivalsOf(
  { keyHash, keyKind, atMs, latenessMs, outcome }: CreateAttempt & { readonly keyHash: string },
  first: boolean,
): Arrival[] {
  const startMs = latenessMs === undefined ? atMs : Math.max(0, atMs - latenessMs);
  const key: IdempotencyKey =
    keyKind === 'time-stamped'
      ? { kind: 'time-stamped', value: keyHash, mintedAtMs: epochMs(startMs) }
      : { kind: 'opaque', value: keyHash };
  const arrival = { kind: 'attempt', key, atMs, skewMs: 0, byOld: true, landsAfterMs: 0 } as const;
  const byOld = hashNumber(keyHash) % 2 === 0;
  const came = { ...arrival, byOld };
  return first && outcome === MET_A_RECORD ? [{ ...came, atMs: startMs }, came] : [came];
}

/** The same for the same key, evenly spread. FNV-1a. */
function hashNumber(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The low bits alone would follow the last character.
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** All arrivals moved in time, mints with them. */
export function moved(arrivals: readonly Arrival[], byMs: number): Arrival[] {
  return arrivals.map((each) => ({
    ...each,
    atMs: each.atMs + byMs,
    key:
      each.key.kind === 'time-stamped'
        ? { ...each.key, mintedAtMs: epochMs(each.key.mintedAtMs + byMs) }
        : each.key,
  }));
}
