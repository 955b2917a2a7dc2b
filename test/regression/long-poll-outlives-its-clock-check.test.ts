// Bug: a waiting request compared its clock with the gateway's again at each look. The gateway's time is
// that of the request's arrival, so a clock 50 s ahead and a wait of 11 s looked like 61 s: 503.
// When: Prefer: wait on a machine whose clock is ahead, within the minute that is trusted.
// Fix: the clock is checked once a request; later looks only take a fresh budget.

import { expect, it } from 'vitest';
import { startService } from '#test/support/service.ts';

it('a long poll is not refused for the time that it waited', async () => {
  let aheadMs = 50_000;
  const startedMs = Date.now();
  const service = await startService({
    world: {
      nowMs: () => startedMs + aheadMs,
      sleepMs: async () => {
        aheadMs += 11_000;
      },
      monotonicMs: () => aheadMs,
    },
  });
  const made = await service.create(
    'k',
    { articleIds: ['a'], format: 'text' },
    { timeEpoch: startedMs },
  );

  const answer = await service.call('GET /v1/export-jobs/{jobId}', {
    path: { jobId: made.body.id },
    headers: { prefer: 'wait=20' },
    timeEpoch: startedMs,
    remainingMs: () => 25_000,
  });
  service.close();

  expect(aheadMs).toBeGreaterThan(61_000);
  expect(answer.status).toBe(200);
  expect(answer.headers['preference-applied']).toBe('wait=20');
});
