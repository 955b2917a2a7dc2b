// Asking what became of an intent, and making sure that it will not be executed.

import { v7 } from 'uuid';
import { expect } from 'vitest';
import type { PromiseRow } from '#test/promises/promise-row.ts';

const LOOK_UP = 'GET /v1/operations/{key}';
const ABANDON = 'POST /v1/operations/{key}/abandon';
const HOUR_MS = 3_600_000;

export const INTENTS: readonly PromiseRow[] = [
  {
    situation: 'what became of an intent?',
    answer:
      '200 with its state and its job; 404 `operation-not-found` with how sure that is: proof only with `definitive: true`',
    async play({ call, create, key, serviceWith }) {
      const made = await create();
      const mintedMs = Date.now();
      const path = { key: v7({ msecs: mintedMs }) };
      // A day is the window, 15 minutes the reserve.
      const later = await serviceWith({ world: { nowMs: () => mintedMs + 25 * HOUR_MS } });

      const found = await call(LOOK_UP, { path: { key } });
      const early = await call(LOOK_UP, { path });
      const proven = await call(LOOK_UP, { path }, later);

      expect(found.body).toMatchObject({ state: 'committed', job: { id: made.body.id } });
      expect(early.body.definitive).toBe(false);
      expect(proven.body.definitive).toBe(true);
      return [found, early, proven];
    },
  },
  {
    situation: 'an intent that must not be executed any more',
    answer: 'abandon it: 200; creates under its key are 409 `operation-abandoned` from then on',
    async play({ call, create, key, jobsUnder }) {
      const abandoned = await call(ABANDON, { path: { key } });

      const late = await create();

      expect(abandoned.body).toMatchObject({ state: 'abandoned', executed: 'no' });
      expect(late.body).toMatchObject({ executed: 'no', intent: 'abandoned', retry: 'new-key' });
      expect(await jobsUnder(key)).toEqual([]);
      return [abandoned, late];
    },
  },
  {
    situation: 'an abandonment that comes too late',
    answer: '409 `operation-committed`: it names the job',
    async play({ call, create, key, jobsUnder }) {
      const made = await create();

      const late = await call(ABANDON, { path: { key } });

      expect(late.body).toMatchObject({ intent: 'committed', job: { id: made.body.id } });
      expect(await jobsUnder(key)).toHaveLength(1);
      return [late];
    },
  },
];
