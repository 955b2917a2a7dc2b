// The figures that operators read are the program's own: the same code prints the same counts.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import { CALLERS } from '#test/bench/throttle-callers.ts';
import { runThrottle, type ThrottleOptions } from '#test/bench/throttle-world.ts';

const PROGRAM = fileURLToPath(new URL('throttle.ts', import.meta.url));
const DOC = new URL('../../docs/operations/tries.md', import.meta.url);
const SMALL: ThrottleOptions = {
  seed: 7,
  createsPerSecond: 5,
  fromMs: 10_000,
  toMs: 130_000,
  endMs: 190_000,
  share: 1,
  instancesMax: 300,
  policy: { tryTimeoutMs: 1_500, triesMax: 8, backoffBaseMs: 50, backoffCapMs: 1_000 },
  budgetMs: 8_000,
  lookUpReserveMs: 1_000,
  newRetryBudget: () => createRetryBudget(),
};
const once = CALLERS[0]?.caller() ?? (async () => false);

it('docs/operations/tries.md shows what the program prints', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM]);

  expect(readFileSync(DOC, 'utf8')).toContain(stdout);
});

it('a throttled process ends at one write a create, and every create succeeds when the throttle is over', async () => {
  const run = await runThrottle(SMALL, once);

  expect(run.late.writes).toBe(run.late.creates);
  expect(run.during.done).toBe(0);
  expect(run.after.done).toBe(run.after.creates);
});

it('sends no more retries than the instances had tokens for', async () => {
  const { during, instances } = await runThrottle(SMALL, once);

  expect(during.writes - during.attempts).toBeLessThanOrEqual(100 * instances);
  expect(instances).toBeGreaterThan(1);
});

it('is the same run for the same seed, and another one for another', async () => {
  const half = { ...SMALL, share: 0.5 };

  const [first, second, other] = [
    await runThrottle(half, once),
    await runThrottle(half, once),
    await runThrottle({ ...half, seed: 8 }, once),
  ];

  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
});
