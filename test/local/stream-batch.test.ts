import { describe, expect, it } from 'vitest';
import type { Outcome } from '#local/lambda/host-messages.ts';
import type { StreamSource } from '#local/stack/service-definition.ts';
import { deliverBatch, type StreamRecord } from '#local/stream/batch.ts';

const NOW_MS = 1_000_000;
const SOURCE: StreamSource = {
  table: 'ExportJobs',
  batchSize: 100,
  retriesMax: 2,
  recordAgeMaxS: 60,
  bisect: true,
  reportsItemFailures: true,
  filterPatterns: [],
};
const OK: Outcome = { ok: true, result: { batchItemFailures: [] } };
const FAILED: Outcome = { ok: false, error: { errorType: 'Error', errorMessage: 'x' } };
const reports = (...ids: unknown[]): Outcome => ({
  ok: true,
  result: { batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) },
});

async function deliver(
  ids: string,
  answer: (batch: string, call: number) => Outcome,
  { ageS = () => 0, ...source }: Partial<StreamSource> & { ageS?: (id: string) => number } = {},
) {
  const records = [...ids].map(
    (id): StreamRecord => ({
      sequenceNumber: id,
      createdAtMs: NOW_MS - ageS(id) * 1000,
      event: {},
    }),
  );
  const seen = { batches: [] as string[], saved: [] as string[], given: [] as string[], waits: 0 };
  const named = (batch: readonly StreamRecord[]) => batch.map((r) => r.sequenceNumber).join('');
  await deliverBatch(
    records,
    { ...SOURCE, ...source },
    {
      invoke: async (batch) => answer(named(batch), seen.batches.push(named(batch))),
      checkpoint: (sequenceNumber) => void seen.saved.push(sequenceNumber),
      discard: (batch, reason) => void seen.given.push(`${named(batch)} ${reason}`),
      backoff: async () => {
        seen.waits += 1;
      },
      nowMs: () => NOW_MS,
      stopped: () => false,
    },
  );
  return seen;
}

describe('a batch of the stream', () => {
  it('is delivered once when the function succeeds', async () => {
    expect(await deliver('abcd', () => OK)).toEqual({
      batches: ['abcd'],
      saved: ['d'],
      given: [],
      waits: 0,
    });
  });

  it('with a poisoned record is halved until that record is alone', async () => {
    const seen = await deliver('abcd', (batch) => (batch.includes('c') ? FAILED : OK));

    expect(seen.batches).toEqual(['abcd', 'ab', 'cd', 'c', 'c', 'c', 'd']);
    expect(seen.given).toEqual(['c retries-exhausted']);
    expect(seen.saved).toEqual(['b', 'c', 'd']);
  });

  it('is delivered again as a whole when it may not be halved', async () => {
    const seen = await deliver('ab', () => FAILED, { bisect: false });

    expect(seen).toEqual({
      batches: ['ab', 'ab', 'ab'],
      saved: ['b'],
      given: ['ab retries-exhausted'],
      waits: 2,
    });
  });

  it('goes on from the lowest record that the function reports', async () => {
    const seen = await deliver('abcd', (_, call) => (call === 1 ? reports('d', 'b') : OK));

    expect(seen.batches).toEqual(['abcd', 'bcd']);
    expect(seen.saved).toEqual(['a', 'd']);
  });

  it.each([
    ['an empty identifier', ''],
    ['an unknown identifier', 'z'],
    ['no identifier', undefined],
  ])('fails as a whole for %s', async (_, id) => {
    const seen = await deliver('ab', (_batch, call) => (call === 1 ? reports(id) : OK), {
      bisect: false,
    });

    expect(seen.batches).toEqual(['ab', 'ab']);
  });

  it.each([
    ['null', null],
    ['an empty object', {}],
    ['a null list', { batchItemFailures: null }],
  ])('is done when the function answers %s', async (_, result) => {
    const seen = await deliver('ab', () => ({ ok: true, result }));

    expect(seen).toMatchObject({ batches: ['ab'], saved: ['b'] });
  });

  it('takes reported failures for success when it was not asked for them', async () => {
    const seen = await deliver('ab', () => reports('a'), { reportsItemFailures: false });

    expect(seen.batches).toEqual(['ab']);
  });

  it('gives up records that are too old without delivering them', async () => {
    const seen = await deliver('ab', () => OK, { ageS: (id) => (id === 'a' ? 61 : 60) });

    expect(seen.batches).toEqual(['b']);
    expect(seen.given).toEqual(['a too-old']);
  });

  it('is tried without end when no bound is set', async () => {
    const seen = await deliver('a', (_, call) => (call < 20 ? FAILED : OK), {
      retriesMax: Number.POSITIVE_INFINITY,
    });

    expect(seen.batches).toHaveLength(20);
  });
});
