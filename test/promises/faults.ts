// What holds when the store, the network or our own code fails: an answer never says more than is known.

import { expect } from 'vitest';
import { BODY, type PromiseBench } from '#test/promises/promise-bench.ts';
import type { PromiseRow } from '#test/promises/promise-row.ts';
import type { Answered, Asked } from '#test/support/service.ts';
import { blackhole, canned, dropReply, reset, truncateReply } from '#test/support/wire-actions.ts';
import type { Action } from '#test/support/wire-proxy.ts';
import {
  htmlReply,
  internalServerError,
  jsonReply,
  throttled,
  transactionCancelled,
} from '#test/support/wire-replies.ts';

const WRITE = { target: 'TransactWriteItems' };
const READ = { target: 'GetItem' };
/** Faults cost little time here; a promise does not depend on how long a try may take. */
const QUICK = {
  CREATE_BUDGET_MS: '2000',
  STORE_TRY_TIMEOUT_MS: '500',
  STORE_TRIES_MAX: '3',
  STORE_BACKOFF_BASE_MS: '1',
  STORE_BACKOFF_CAP_MS: '2',
};

export const FAULTS: readonly PromiseRow[] = [
  {
    situation: "the store's answer is lost, cut off or nonsense",
    answer:
      'settled by the key in the same call: 202; if not even that can be: 503 `outcome-unknown`',
    async play({ create, key, jobsUnder, proxy, serviceWith }) {
      const settled: Answered[] = [];
      const faults = [dropReply(), truncateReply(20), canned(htmlReply(200))];
      for (const [index, fault] of faults.entries()) {
        proxy.clear();
        const rule = proxy.rule({ ...WRITE, nth: 1 }, fault);
        settled.push(await create({ key: `${key}-${index}` }));
        expect(rule.fired).toBe(1);
        expect(await jobsUnder(`${key}-${index}`)).toHaveLength(1);
      }
      proxy.clear();
      proxy.rule(WRITE, dropReply());
      proxy.rule(READ, canned(internalServerError()));

      const unknown = await create({}, await serviceWith({ environment: QUICK }));

      expect(unknown.body).toMatchObject({ executed: 'unknown', retry: 'same-key' });
      expect(Number(unknown.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      return [...settled, unknown];
    },
  },
  {
    situation: 'the store refuses, throttles or conflicts to the end',
    answer: '503 `store-unavailable`: this attempt wrote nothing',
    async play({ create, key, jobsUnder, proxy, serviceWith }) {
      const service = await serviceWith({ environment: QUICK });
      const conflict = transactionCancelled('TransactionConflict', 'None');
      const answers: Answered[] = [];
      for (const reply of [throttled(), conflict]) {
        proxy.clear();
        const rule = proxy.rule(WRITE, canned(reply));
        answers.push(await create({}, service));
        expect(rule.fired).toBeGreaterThanOrEqual(1);
      }

      for (const { body } of answers) expect(body).toMatchObject({ executed: 'no' });
      expect(await jobsUnder(key)).toEqual([]);
      return answers;
    },
  },
  {
    situation: 'the store answers a look-up without proof that it looked',
    answer: '503 `store-unavailable`: what was not proven to be absent is never called absent',
    async play({ call, create, key, proxy, serviceWith }) {
      const service = await serviceWith({ environment: QUICK });
      const { body: made } = await create();
      const intent = ['GET /v1/operations/{key}', { path: { key } }] as const;
      const job = ['GET /v1/export-jobs/{jobId}', { path: { jobId: made.id } }] as const;
      const answers: Answered[] = [];
      for (const [route, asked] of [intent, job]) {
        proxy.clear();
        const rule = proxy.rule(READ, canned(jsonReply(200, {})));
        answers.push(await call(route, asked, service));
        expect(rule.fired).toBeGreaterThanOrEqual(1);
      }
      return answers;
    },
  },
  {
    situation: 'a fault in our own code',
    answer: '500 `internal-error`: whether it was executed is unknown, retry under the same key',
    async play({ create, serviceWith }) {
      const nowMs = () => {
        throw new Error('a bug');
      };
      const broken = await serviceWith({ world: { nowMs } });

      const answer = await create({ timeEpoch: Date.now() }, broken);

      expect(answer.body).toMatchObject({ executed: 'unknown', retry: 'same-key' });
      expect(answer.text).not.toContain('a bug');
      return [answer];
    },
  },
  {
    situation: 'any two faults, one attempt after the other, under one key',
    answer: 'no answer lets a caller conclude that a job which exists was not made',
    async play(bench) {
      let made = 0;
      for (const first of Object.keys(ATTEMPTS)) {
        for (const second of Object.keys(ATTEMPTS)) {
          made += await holdConclusions(bench, [first, second]);
        }
      }

      // Not empty: the pairs leave jobs behind, and leave none.
      expect(made).toBeGreaterThan(0);
      expect(made).toBeLessThan(Object.keys(ATTEMPTS).length ** 2);
      return [];
    },
  },
];

/** An attempt: what breaks on the wire, or what is wrong with the request. */
const ATTEMPTS: Readonly<Record<string, { readonly wire?: Action; readonly asked?: Asked }>> = {
  'lost after the commit': { wire: dropReply() },
  'lost before the commit': { wire: reset() },
  'no answer': { wire: blackhole() },
  'a throttle': { wire: canned(throttled()) },
  'a body that is not valid': { asked: { body: { ...BODY, format: 'pdf' } } },
  'a deadline that passed': {
    asked: { headers: { 'x-request-deadline': '2020-01-01T00:00:00Z' } },
  },
};

/** @returns how many jobs the attempts made: 0 or 1 */
async function holdConclusions(bench: PromiseBench, attempts: string[]): Promise<number> {
  const { create, jobsUnder, proxy, serviceWith } = bench;
  const key = `${bench.key}-${attempts.join('-then-').replaceAll(' ', '-')}`;
  const service = await serviceWith({ environment: { ...QUICK, CREATE_BUDGET_MS: '250' } });
  const answers: Answered[] = [];
  for (const name of attempts) {
    const { wire, asked } = ATTEMPTS[name] ?? {};
    proxy.clear();
    if (wire) {
      proxy.rule(WRITE, wire);
      proxy.rule(READ, canned(internalServerError()));
    }
    answers.push(await create({ key, ...asked }, service));
  }
  proxy.clear();

  const jobs = await jobsUnder(key);
  const allSaidNo = answers.every(({ body }) => body?.executed === 'no');
  expect(jobs.length).toBeLessThanOrEqual(1);
  expect(jobs.length === 1 && allSaidNo, `${attempts.join(', then ')}`).toBe(false);
  return jobs.length;
}
