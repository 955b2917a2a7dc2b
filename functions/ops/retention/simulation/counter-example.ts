// Why a change is not safe, shown: two arrivals of one key that end in a second job or in a promise that
// does not hold. Nothing is argued here: each candidate is played on simulated clocks, and the worst that
// really happens is told, in words and times.

import { epochMs } from '#idempotency/epoch.ts';
import type { RetentionEntry } from '#idempotency/retention-schedule.ts';
import { durationText, instantText } from '#ops/retention/output/duration-text.ts';
import {
  type Change,
  type Difference,
  differencesOf,
  OLD_GONE_MS,
  ROLLOUT_MS,
} from '#ops/retention/schedule/change.ts';
import { type Arrival, type Played, play, type Releases } from '#ops/retention/simulation/play.ts';

export type Harm = 'duplicate' | 'promise-broken' | 'judged-differently';

export type CounterExample = {
  readonly harm: Harm;
  readonly sentence: string;
  /** To be played again: empty where the harm is that two releases answer one key differently. */
  readonly arrivals: readonly Arrival[];
  /** A key that is judged differently, by when it was minted. */
  readonly mintedAtMs: number;
};

/** TTL takes whole seconds, rounded up. */
const PURGED_MS = 1_000;

export function releasesOf({ inForce, proposed, deployMs }: Change): Releases {
  return { old: inForce, proposed, deployMs, oldGoneMs: deployMs + OLD_GONE_MS };
}

/** The worst that happens to keys which both releases meet, if anything does. */
export async function findCounterExample(change: Change): Promise<CounterExample | undefined> {
  const releases = releasesOf(change);
  let worst: CounterExample | undefined;
  for (const difference of metByBoth(change)) {
    for (const mintedAtMs of placesIn(difference)) {
      for (const candidate of candidates({ ...difference, mintedAtMs }, change)) {
        const harm = harmOf(await play(candidate.arrivals, releases));
        if (harm === undefined) continue;
        const found = { ...candidate, harm, mintedAtMs };
        if (harm === 'duplicate') return found;
        worst ??= found;
      }
    }
  }
  return worst ?? judgedDifferently(change);
}

export function harmOf({ duplicates, broken }: Played): Harm | undefined {
  if (duplicates > 0) return 'duplicate';
  return broken > 0 ? 'promise-broken' : undefined;
}

/** Keys minted while the old release may run, and not so long ago that nothing of them is left. */
function metByBoth(change: Change): Difference[] {
  const entries = [...change.inForce.schedule, ...change.proposed.schedule];
  const lifeMs = Math.max(...entries.map(({ windowMs, graceMs }) => windowMs + graceMs));
  return differencesOf(change).flatMap((each) => {
    const fromMs = Math.max(each.fromMs, change.deployMs - lifeMs);
    const toMs = Math.min(each.toMs, change.deployMs + ROLLOUT_MS);
    return fromMs < toMs ? [{ ...each, fromMs, toMs }] : [];
  });
}

function placesIn({ fromMs, toMs }: Difference): Set<number> {
  return new Set([fromMs, Math.floor((fromMs + toMs) / 2), toMs - 1]);
}

type Candidate = Pick<CounterExample, 'arrivals' | 'sentence'>;
type Place = Difference & { readonly mintedAtMs: number };
type Side = {
  readonly byOld: boolean;
  readonly name: string;
  readonly entry: RetentionEntry;
  /** When this release answers: [since, until). */
  readonly sinceMs: number;
  readonly untilMs: number;
};

/** Two arrivals, one by each release, at the instants at which they disagree. */
function candidates(place: Place, change: Change): Candidate[] {
  const { before, after } = place;
  const oldSide: Side = {
    byOld: true,
    name: 'the release in force',
    entry: before,
    sinceMs: Number.NEGATIVE_INFINITY,
    untilMs: change.deployMs + OLD_GONE_MS,
  };
  const newSide: Side = {
    byOld: false,
    name: 'the new release',
    entry: after,
    sinceMs: change.deployMs,
    untilMs: Number.POSITIVE_INFINITY,
  };
  const at = { mintedAtMs: place.mintedAtMs, reserveMs: change.inForce.reserveMs };
  return [...meeting(oldSide, newSide, at), ...meeting(newSide, oldSide, at)];
}

type Minted = { readonly mintedAtMs: number; readonly reserveMs: number };

function meeting(x: Side, y: Side, { mintedAtMs: m, reserveMs }: Minted): Candidate[] {
  const firstMs = Math.max(m, x.sinceMs);
  if (firstMs >= x.untilMs) return [];
  const xEndMs = m + x.entry.windowMs;
  const yEndMs = m + y.entry.windowMs;
  const purgeMs = Math.max(xEndMs, firstMs) + x.entry.graceMs + PURGED_MS;
  const yDefinitiveUntilMs = yEndMs + y.entry.graceMs - reserveMs;
  const shown: (Candidate | undefined)[] = [];
  if (firstMs < xEndMs) {
    const made = `${key(m)} makes a job at ${instantText(firstMs)}, answered by ${x.name}; its record is purged from ${instantText(purgeMs)}.`;
    shown.push(
      pair(
        m,
        [
          ['attempt', x, firstMs],
          ['attempt', y, purgeMs, yEndMs],
        ],
        (atMs) =>
          `${made} A retry at ${instantText(atMs)} reaches ${y.name}, which admits such keys for ${durationText(y.entry.windowMs)}: a second job.`,
      ),
      pair(
        m,
        [
          ['attempt', x, firstMs],
          ['look-up', y, Math.max(purgeMs, yEndMs + reserveMs), yDefinitiveUntilMs],
        ],
        (atMs) =>
          `${made} A look-up at ${instantText(atMs)} reaches ${y.name}, finds nothing and calls that definitive: the job exists.`,
      ),
    );
  }
  const told = `A look-up at ${instantText(firstMs)} of ${key(m, 'a key')}, answered by ${x.name}, says admissible until ${instantText(xEndMs)}.`;
  shown.push(
    pair(
      m,
      [
        ['look-up', x, firstMs],
        ['attempt', y, yEndMs, xEndMs],
      ],
      (atMs) =>
        `${told} An attempt at ${instantText(atMs)} reaches ${y.name} and is refused as too late.`,
    ),
    pair(
      m,
      [
        ['look-up', x, firstMs],
        ['attempt', y, xEndMs + reserveMs, yEndMs],
      ],
      (atMs) =>
        `${told} An attempt at ${instantText(atMs)}, long after that, reaches ${y.name} and makes a job.`,
    ),
  );
  return shown.filter((each) => each !== undefined);
}

type Planned = readonly [Arrival['kind'], Side, number];
type PlannedWithin = readonly [Arrival['kind'], Side, fromMs: number, beforeMs: number];

/** The second arrival comes as early as it does harm; undefined when no such moment exists. */
function pair(
  mintedAtMs: number,
  [first, second]: readonly [Planned, PlannedWithin],
  sentence: (atMs: number) => string,
): Candidate | undefined {
  const [kind, side, fromMs, beforeMs] = second;
  const atMs = Math.max(fromMs, side.sinceMs, first[2]);
  if (atMs >= Math.min(beforeMs, side.untilMs)) return undefined;
  return {
    sentence: sentence(atMs),
    arrivals: [arrival(mintedAtMs, first), arrival(mintedAtMs, [kind, side, atMs])],
  };
}

function arrival(mintedAtMs: number, [kind, side, atMs]: Planned): Arrival {
  return {
    kind,
    key: { kind: 'time-stamped', value: `minted-${mintedAtMs}`, mintedAtMs: epochMs(mintedAtMs) },
    atMs,
    skewMs: 0,
    byOld: side.byOld,
    landsAfterMs: 0,
  };
}

/** Nothing worse: at one and the same time one key is told two ends. */
function judgedDifferently(change: Change): CounterExample | undefined {
  const [first] = metByBoth(change);
  if (!first) return undefined;
  const { before, after } = first;
  const end = ({ windowMs, graceMs }: RetentionEntry) =>
    `${durationText(windowMs)} and a grace of ${durationText(graceMs)}`;
  return {
    harm: 'judged-differently',
    mintedAtMs: first.fromMs,
    arrivals: [],
    sentence: `${key(first.fromMs)} is judged by ${end(before)} where the release in force answers, and by ${end(after)} where the new one does, at the same time.`,
  };
}

function key(mintedAtMs: number, name = 'A key'): string {
  return `${name} minted at ${instantText(mintedAtMs)}`;
}
