// The outage with fewer clients: this client's load falls to the normal one and comes back without a
// spike, where the usual policies multiply it.

import { beforeAll, expect, it } from 'vitest';
import {
  figuresOf,
  LOAD_AGAIN_NORMAL,
  type OutageFigures,
} from '#test/bench/client-outage-figures.ts';
import { OUTAGE, runOutage } from '#test/bench/client-outage-world.ts';
import { POLICIES } from '#test/bench/client-policies.ts';

const SMALL = { ...OUTAGE, clients: 100 };
const figures = new Map<string, OutageFigures>();

beforeAll(async () => {
  for (const { name, policy } of POLICIES) {
    figures.set(name, figuresOf(await runOutage(policy(), SMALL), SMALL));
  }
});

const of = (name: string): OutageFigures => {
  const found = figures.get(name);
  if (found === undefined) throw new Error(`no policy is named ${name}`);
  return found;
};

it('this client loads the service at most 1.2 times as much as normally once its budget is used up', () => {
  expect(of('this client').peakInSecondHalf).toBeLessThanOrEqual(LOAD_AGAIN_NORMAL);
  expect(of('this client').boundedAfterS).toBeLessThanOrEqual(20);
});

it('this client comes back without a spike', () => {
  expect(of('this client').peakAfter).toBeLessThanOrEqual(LOAD_AGAIN_NORMAL);
  expect(of('this client').normalAfterS).toBe(0);
});

it('each usual policy multiplies the load for as long as the outage lasts', () => {
  expect(of('immediate 3×').peakInSecondHalf).toBeGreaterThan(2.5);
  expect(of('three layers of 3').peakInSecondHalf).toBeGreaterThan(20);
  expect(of('exponential, no jitter').peakInSecondHalf).toBeGreaterThan(5);
});

it('backoff without a budget comes back as a spike', () => {
  expect(of('exponential, no jitter').peakAfter).toBeGreaterThan(5);
  expect(of('exponential, no jitter').normalAfterS).toBeGreaterThan(1);
});
