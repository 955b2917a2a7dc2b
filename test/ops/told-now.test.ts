// What inspect says that a caller would be told is what the service tells that caller, in every state.

import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BODY,
  byKey,
  HOUR_MS,
  type InspectBench,
  openInspectBench,
} from '#test/ops/inspect-bench.ts';
import { itemsOf } from '#test/support/table-contents.ts';

let bench: InspectBench;
beforeEach(async () => {
  bench = await openInspectBench();
});
afterEach(() => bench.close());

describe('what a caller would be told', () => {
  const SAME = 'the same request again';
  const OTHER = 'other parameters under this key';
  const send = async (key: string, body: object = BODY) => {
    const { status, body: answer, headers } = await bench.service.create(key, body);
    if (status !== 202) return answer.code as string;
    return headers['idempotent-replayed'] === 'true' ? 'replayed' : 'created';
  };
  const lookUpWhole = async (key: string) =>
    (await bench.service.call('GET /v1/operations/{key}', { path: { key } })).body;
  const lookUp = async (key: string) => (await lookUpWhole(key)).code ?? 'found';
  const abandon = async (key: string) => {
    const { status, body } = await bench.service.call('POST /v1/operations/{key}/abandon', {
      path: { key },
    });
    return status === 200 ? 'abandoned' : body.code;
  };

  const stamped = (agoMs: number) => v7({ msecs: Date.now() - agoMs });
  const STATES: [string, () => Promise<string>][] = [
    ['of an opaque key that nobody sent', async () => 'unsent'],
    ['of a fresh time-stamped key that nobody sent', async () => stamped(0)],
    ['of a time-stamped key past its window that nobody sent', async () => stamped(25 * HOUR_MS)],
    ['of a key minted in the future', async () => stamped(-HOUR_MS)],
    ['of a key that made a job', async () => (await send('used')) && 'used'],
    ['of a key that was abandoned', async () => (await abandon('given-up')) && 'given-up'],
    [
      'of a key whose record has expired',
      async () => {
        await send('old');
        bench.clock.nowMs += 25 * HOUR_MS;
        return 'old';
      },
    ],
    [
      'of a key whose record is gone, after its window',
      async () => {
        const key = stamped(0);
        await send(key);
        const [record] = await itemsOf(bench.service.database, 'IdempotencyKeys');
        await bench.deleteItem('IdempotencyKeys', { pk: { S: record?.pk } });
        bench.clock.nowMs += 49 * HOUR_MS;
        return key;
      },
    ],
  ];

  it.each(STATES)('%s is what the caller is told', async (_, arrange) => {
    const key = await arrange();

    const { answers } = await bench.inspect(byKey(key));

    expect(answers['a look-up']).toBe(await lookUp(key));
    expect(answers[OTHER]).toBe(await send(key, { ...BODY, format: 'html' }));
    if (answers[OTHER] !== 'created') expect(answers[SAME]).toBe(await send(key));
    if (answers[SAME] !== 'created') expect(answers['an abandon']).toBe(await abandon(key));
  });

  it('of a key below the floor of a restore is what the caller is told', async () => {
    bench.close();
    bench = await openInspectBench({
      ADMIT_NOT_BEFORE: new Date(Date.now() + 1_000).toISOString(),
    });
    const key = stamped(0);

    const { answers, told } = await bench.inspect(byKey(key));

    expect(answers[SAME]).toBe(await send(key));
    expect(answers[SAME]).toBe('idempotency-key-expired');
    bench.clock.nowMs += 25 * HOUR_MS;
    expect(await lookUpWhole(key)).toMatchObject({
      code: 'operation-not-found',
      definitive: false,
    });
    expect(told.find(({ when }) => when === 'a look-up')?.sentence).toContain('never definitive');
  });
});
