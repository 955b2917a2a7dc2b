// Each reason for which plan refuses a change, with what it says would happen, in words and times. The
// instants are literals: the rule is not computed again here.

import { describe, expect, it } from 'vitest';
import { epochMs } from '#idempotency/epoch.ts';
import type { Findings } from '#ops/retention/logs/findings.ts';
import { planText } from '#ops/retention/output/plan-text.ts';
import { appended, type Change, readProposal } from '#ops/retention/schedule/change.ts';
import { type Asked, planChange } from '#ops/retention/schedule/change-plan.ts';
import type { ClientNeeds } from '#ops/retention/schedule/client-rules.ts';
import type { RefusalKind } from '#ops/retention/schedule/refusal.ts';
import { scheduleFrom } from '#ops/retention/schedule/schedule-sources.ts';
import { releasesOf } from '#ops/retention/simulation/counter-example.ts';
import { play } from '#ops/retention/simulation/play.ts';

const NOON = epochMs(Date.parse('2026-12-01T12:00:00Z'));
const DAY = '{"from":"2026-01-01T00:00:00Z","window":"PT24H","grace":"PT24H"}';
const inForce = {
  schedule: scheduleFrom(`[${DAY}]`, 'test'),
  reserveMs: 900_000,
  reserve: 'PT15M',
};

function change(entry: Parameters<typeof appended>[1], base = inForce): Change {
  const proposed = appended(base, entry, NOON);
  if (proposed.kind === 'refused') throw new Error(proposed.sentence);
  return { inForce: base, proposed: proposed.value, deployMs: NOON };
}
function replaced(json: string, base = inForce): Change {
  const proposed = readProposal(base, json);
  if (proposed.kind === 'refused') throw new Error(proposed.sentence);
  return { inForce: base, proposed: proposed.value, deployMs: NOON };
}
type More = Partial<Omit<Asked, 'needs'>> & { readonly needs?: Partial<ClientNeeds> };
const plan = (of: Change, more: More = {}) =>
  planChange({
    change: of,
    deployment: { stage: 'prod', jobRetention: 'P30D' },
    ...more,
    needs: { coverage: 0.999, ...more.needs },
  });
const kinds = async (of: Change, more?: More) =>
  (await plan(of, more)).refusals.map(({ kind }) => kind);
async function refusal(kind: RefusalKind, of: Change, more?: More) {
  const found = (await plan(of, more)).refusals.find((each) => each.kind === kind);
  if (!found) throw new Error(`not refused as ${kind}`);
  return found;
}

describe('a safe change', () => {
  it('starts by default 24 h after the deployment, keeps the grace, and is printed to be deployed', async () => {
    const longer = change({ window: 'PT48H' });
    const verdict = await plan(longer);

    expect(verdict).toEqual({ safe: true, refusals: [] });
    expect(planText(verdict, longer)).toContain(
      `RETENTION_SCHEDULE='[${DAY},{"from":"2026-12-02T12:00:00Z","window":"PT48H","grace":"PT24H"}]'`,
    );
    expect(planText(verdict, longer)).toContain('Deploy this before 2026-12-01 12:00Z');
  });

  it('may shorten the window as well: only keys yet to be minted are judged by it', async () => {
    expect(await kinds(change({ window: 'PT1H', grace: 'PT1H' }))).toEqual([]);
  });

  it('comes after an entry that has been published and not yet started', async () => {
    const later = '{"from":"2026-12-20T00:00:00Z","window":"PT36H","grace":"PT24H"}';
    const base = { ...inForce, schedule: scheduleFrom(`[${DAY},${later}]`, 'test') };

    const after = change({ window: 'PT48H' }, base);

    expect(after.proposed.schedule.at(-1)?.fromMs).toBe(Date.parse('2026-12-20T00:01:00Z'));
    expect(await kinds(after, {})).toEqual([]);
  });
});

describe('the boundary of 24 h', () => {
  it('is a start 24 h after the deployment, to the second', async () => {
    expect(await kinds(change({ window: 'PT48H', from: '2026-12-02T12:00:00Z' }))).toEqual([]);
    expect(await kinds(change({ window: 'PT48H', from: '2026-12-02T11:59:59Z' }))).toEqual([
      'too-early',
    ]);
  });
});

describe('refused', () => {
  it('too-early, window more than twice as long: a second job, shown', async () => {
    const early = change({ window: 'PT72H', from: '2026-12-01T18:00:00Z' });

    const { counterExample, shown } = await refusal('too-early', early);

    expect(counterExample).toContain('minted at 2026-12-01 18:00Z makes a job');
    expect(counterExample).toContain('purged from 2026-12-03 18:00:01Z');
    expect(counterExample).toContain('a second job');
    expect(await play(shown?.arrivals ?? [], releasesOf(early))).toMatchObject({
      made: 2,
      duplicates: 1,
    });
  });

  it('too-early, window shorter: an attempt is refused that a look-up had told is admissible', async () => {
    const early = change({ window: 'PT12H', from: '2026-12-01T18:00:00Z' });

    const { counterExample, shown } = await refusal('too-early', early);

    expect(counterExample).toContain('admissible until 2026-12-02 18:00Z');
    expect(counterExample).toContain('An attempt at 2026-12-02 06:00Z reaches the new release');
    expect((await play(shown?.arrivals ?? [], releasesOf(early))).examples).toMatchObject([
      { promise: 'admissible-until' },
    ]);
  });

  it('too-early, grace longer: an empty look-up is definitive though the job exists', async () => {
    const base = {
      ...inForce,
      schedule: scheduleFrom(`[${DAY.replace('"grace":"PT24H"', '"grace":"PT2H"')}]`, 'test'),
    };
    const early = change({ window: 'PT24H', grace: 'PT12H', from: '2026-12-01T18:00:00Z' }, base);

    const { shown } = await refusal('too-early', early);

    expect((await play(shown?.arrivals ?? [], releasesOf(early))).examples).toMatchObject([
      { promise: 'definitive' },
    ]);
  });

  it('promise-shortened: keys that were told when they end would end sooner', async () => {
    const past = change({ window: 'PT6H', from: '2026-12-01T06:00:00Z' });

    const { counterExample } = await refusal('promise-shortened', past);

    expect(counterExample).toContain(
      'minted at 2026-12-01 11:59:59Z was told Idempotency-Expires 2026-12-02 11:59:59Z',
    );
    expect(counterExample).toContain('judged to end at 2026-12-01 17:59:59Z');
  });

  it('not-appended: a published entry is altered', async () => {
    const altered = replaced('[{"from":"2026-01-01T00:00:00Z","window":"PT72H","grace":"PT24H"}]');

    const { sentence, counterExample, shown } = await refusal('not-appended', altered);

    expect(sentence).toBe('entry 1 is not kept: entries are only ever appended');
    expect(counterExample).toContain('Published: from 2026-01-01 00:00Z: window 24 h, grace 24 h.');
    expect(shown?.harm).toBe('duplicate');
  });

  it('not-appended: a published entry that has not started is left out', async () => {
    const later = '{"from":"2026-12-20T00:00:00Z","window":"PT36H","grace":"PT24H"}';
    const base = { ...inForce, schedule: scheduleFrom(`[${DAY},${later}]`, 'test') };

    expect(await kinds(replaced(`[${DAY}]`, base))).toEqual(['not-appended']);
  });

  it('live-differs: what the operator holds is not what is live', async () => {
    const held = {
      ...inForce,
      schedule: scheduleFrom(`[${DAY.replaceAll('PT24H', 'PT25H')}]`, 'test'),
    };

    const { counterExample } = await refusal('live-differs', change({ window: 'PT48H' }), { held });

    expect(counterExample).toContain('Live: from 2026-01-01 00:00Z: window 24 h');
    expect(counterExample).toContain('Yours: from 2026-01-01 00:00Z: window 25 h');
    expect(await kinds(change({ window: 'PT48H' }), { held: inForce })).toEqual([]);
  });

  it('changes-nothing', async () => {
    expect(await kinds(change({ window: 'P1D' }))).toEqual(['changes-nothing']);
    expect(await kinds(replaced(`[${DAY}]`))).toEqual(['changes-nothing']);
  });

  it('grace-too-short: no look-up would ever be definitive, and no deployed function would start', async () => {
    const base = { ...inForce, reserveMs: 45 * 60_000, reserve: 'PT45M' };
    const local = { deployment: { stage: 'local', jobRetention: 'P30D' } };
    const short = change({ window: 'PT48H', grace: 'PT90M' }, base);

    expect(await kinds(short)).toEqual(['does-not-start', 'grace-too-short']);
    expect(await kinds(short, local)).toEqual(['grace-too-short']);
    expect((await refusal('grace-too-short', short)).counterExample).toContain('ever definitive');
    expect(await kinds(change({ window: 'PT48H', grace: 'PT91M' }, base))).toEqual([]);
  });

  it('does-not-start: under the minima of the stage, and only there', async () => {
    const tiny = change({ window: 'PT59M', grace: 'PT59M' });

    expect((await refusal('does-not-start', tiny)).counterExample).toContain(
      'under the smallest of 3600 s',
    );
    expect(await kinds(tiny, { deployment: { stage: 'local', jobRetention: 'P30D' } })).toEqual([]);
  });

  it('does-not-start: keys would be kept longer than jobs', async () => {
    const long = change({ window: 'P29D', grace: 'P2D' });

    expect((await refusal('does-not-start', long)).counterExample).toContain(
      'JOB_RETENTION must be longer',
    );
  });

  it('as no schedule at all: longer than a record can be kept', () => {
    expect(appended(inForce, { window: 'PT48H', grace: 'P365D' }, NOON).kind).toBe('ok');
    expect(appended(inForce, { window: 'PT48H', grace: 'P366D' }, NOON)).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('365 days'),
    });
  });

  it('retry-horizon: clients retry for longer, clocks five minutes off', async () => {
    const needs = { retryHorizonMs: 47 * 3_600_000 };

    expect(
      (await refusal('retry-horizon', change({ window: 'PT47H' }), { needs })).counterExample,
    ).toContain(
      'comes 47 h 5 min later, at 2026-12-04 11:05Z, and is refused with 412 since 2026-12-04 11:00Z',
    );
    expect(await kinds(change({ window: 'PT47H5M' }), { needs })).toEqual([]);
  });

  it('retries-seen: a report has seen later ones, more than the coverage leaves out', async () => {
    // 10 of 10,000 retries between 30 h and 40 h.
    const findings = {
      retries: { count: 10_000, percentiles: [], largestMs: 40 * 3_600_000 },
      firsts: { count: 10_000, percentiles: [], largestMs: 500 },
      covers: [{ share: 0.9999, windowMs: 41 * 3_600_000 }],
      buckets: [
        [500, 9_990, 10_000],
        [36 * 3_600_000, 9, 0],
        [40 * 3_600_000 + 1, 1, 0],
      ],
    } as unknown as Findings;
    const short = change({ window: 'PT25H' });

    expect(await kinds(short, { needs: { findings, coverage: 0.999 } })).toEqual([]);
    const { sentence } = await refusal('retries-seen', short, {
      needs: { findings, coverage: 0.9999 },
    });
    expect(sentence).toContain('would have refused 10 and 0; it must cover 99.99 % (41 h would)');
    expect(
      await kinds(change({ window: 'PT36H' }), { needs: { findings, coverage: 0.9999 } }),
    ).toEqual([]);
  });
});
