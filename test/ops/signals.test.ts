// What the code really emits, read back as CloudWatch would read the printed lines.

import { beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '#contract/metrics.ts';
import { HOUR_MS, type Played, playSignals } from '#test/ops/signal-plays.ts';

let plays: ReadonlyMap<string, Played>;
const played = (name: string): Played => plays.get(name) as Played;

beforeAll(async () => {
  plays = await playSignals();
}, 180_000);

describe('a create says', () => {
  it.each([
    ['created', 'AttemptCreated'],
    ['batch taken', 'AttemptBatchTaken'],
    ['replayed after 6 h', 'AttemptReplayed'],
    ['reused', 'AttemptReused'],
    ['invalid', 'AttemptInvalid'],
    ['in future', 'AttemptInFuture'],
    ['abandoned', 'AttemptAbandoned'],
    ['deadline passed', 'AttemptDeadlinePassed'],
    ['clock', 'AttemptClockUntrusted'],
    ['unknown', 'AttemptUnknown'],
    ['unavailable', 'AttemptStoreUnavailable'],
    ['recovered', 'AttemptCreated'],
    ['after a conflict', 'AttemptCreated'],
    ['late', 'AttemptExpired'],
  ])('%s: %s once, and no other outcome', (name, metric) => {
    const outcomes = played(name).data.filter(
      (datum) => datum.name.startsWith('Attempt') && datum.name !== 'AttemptRecovered',
    );

    expect(outcomes.map(({ name, values }) => [name, values])).toEqual([[metric, [1]]]);
  });

  it('how old its key was when it was replayed, in milliseconds and as a share of the window', () => {
    expect(played('replayed after 6 h').of('ReplayAge')).toEqual([6 * HOUR_MS]);
    expect(played('replayed after 6 h').of('ReplayAgeShare')).toEqual([25]);
  });

  it('that it came too late', () => {
    expect(played('late').of('LateArrivalRefused')).toEqual([1]);
    expect(played('replayed after 6 h').of('LateArrivalRefused')).toEqual([]);
  });

  it('how many writes it sent, and what the store did with them', () => {
    expect(played('created').of('CreateTries')).toEqual([1]);
    expect(played('created').of('StoreLatency')).toHaveLength(1);
    expect(played('created').of('StoreLatency')[0]).toBeGreaterThan(0);
    expect(played('unknown').of('CreateTries')).toEqual([2]);
    expect(played('unknown').of('StoreUnknown')).toEqual([1, 1]);
    expect(played('unavailable').of('StoreThrottle')).toEqual([1, 1]);
    expect(played('after a conflict').of('StoreConflict')).toEqual([1]);
    expect(played('after a conflict').of('CreateTries')).toEqual([2]);
  });

  it('that its own answer had been lost', () => {
    expect(played('recovered').of('AttemptRecovered')).toEqual([1]);
    expect(played('created').of('AttemptRecovered')).toEqual([]);
  });
});

describe('a run says', () => {
  it('how long its job was queued and running, and in how many runs it ended', () => {
    expect(played('a run').of('JobQueuedTime')).toEqual([5_000]);
    expect(played('a run').of('JobRunningTime')).toEqual([0]);
    expect(played('a run').of('JobRuns')).toEqual([1]);
    expect(played('a run').of('LeaseTakeover')).toEqual([]);
  });

  it('that its job failed', () => {
    expect(played('a failed job').of('JobFailed')).toEqual([1]);
    expect(played('a run').of('JobFailed')).toEqual([]);
  });

  it('that it took over from another', () => {
    expect(played('a takeover').of('LeaseTakeover')).toEqual([1]);
    expect(played('a takeover').of('JobRuns')).toEqual([2]);
    expect(played('a run that broke').data).toEqual([]);
  });

  it('that it was overtaken', () => {
    expect(played('a stale run').of('RunStale')).toEqual([1]);
    expect(played('a stale run').of('JobRuns')).toEqual([]);
  });
});

describe('what waits', () => {
  it('is told by each sweep; putting a job off does not make it younger', () => {
    const [first] = played('a first sweep').of('OldestDueJob');
    const [second] = played('a second sweep').of('OldestDueJob');

    expect(first).toBeGreaterThan(31 * HOUR_MS);
    expect(second).toBe((first ?? 0) + 121_000);
    expect(played('a second sweep').of('SweepOldest')).toEqual([1_000]);
    expect(played('a first sweep').of('SweepDue')[0]).toBeGreaterThan(2);
  });

  it('is told of notifications owed', () => {
    expect(Math.max(...played('the backlog').of('OutboxOldest'))).toBe(48 * HOUR_MS + 20 * 60_000);
  });

  it('is told of records that should have been purged, by the oldest in the samples', () => {
    // Minted at the start, purged R + G later; 79 h and some seconds have passed.
    const overdueMs = Math.max(...played('the backlog').of('PurgeOverdue'));

    expect(overdueMs).toBeGreaterThan((79 - 48) * HOUR_MS);
    expect(overdueMs).toBeLessThan((80 - 48) * HOUR_MS);
  });
});

describe('every line', () => {
  const all = () => [...plays.values()].flatMap(({ data }) => data);

  it('together they carry every metric of the catalogue, each in its unit', () => {
    const emitted = Object.fromEntries(all().map(({ name, unit }) => [name, unit]));
    const known = Object.fromEntries(
      Object.entries(METRICS).map(([name, { unit }]) => [name, unit as string]),
    );

    expect(emitted).toEqual(known);
  });

  it('has the stage as its one dimension: nothing that grows with callers, keys or jobs', () => {
    expect(all().length).toBeGreaterThan(50);
    for (const { namespace, dimensions } of all()) {
      expect(namespace).toBe('export-once');
      expect(dimensions).toEqual({ service: 'export-once-prod' });
    }
  });
});
