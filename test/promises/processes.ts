// What holds when a process is killed or frozen: really killed, really frozen, on the running stack.

import { expect } from 'vitest';
import { BODY } from '#test/promises/promise-bench.ts';
import type { PromiseRow } from '#test/promises/promise-row.ts';
import type { StackBench } from '#test/promises/stack-bench.ts';
import { changesOfJob } from '#test/support/stream-images.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import {
  applied,
  beforeForward,
  blackhole,
  dropReply,
  gate,
  holdRequest,
} from '#test/support/wire-actions.ts';
import type { Action, Match } from '#test/support/wire-proxy.ts';
import type { WireRequest } from '#test/support/wire-request.ts';

const FIRST_WRITE = { target: 'TransactWriteItems', nth: 1 };
const END = { target: 'TransactWriteItems', nth: 2 };
const FIRST_ARTICLE = { table: 'Articles', nth: 1 };

export const PROCESSES: readonly PromiseRow[] = [
  {
    situation: 'the process is killed before, during or after the commit',
    answer: 'the retry under the same key ends in one job: 202',
    async play({ key, stack }) {
      const bench = await stack();
      const { caller, jobsUnder, proxy } = bench;
      const kill = () => process.kill(bench.stack.pids().http ?? Number.NaN, 'SIGKILL');
      const points: Readonly<Record<string, Action>> = {
        before: beforeForward(kill, blackhole()),
        during: async (exchange) => {
          await dropReply()(exchange);
          kill();
        },
        after: applied(kill),
      };
      const retries = [];
      for (const [point, action] of Object.entries(points)) {
        proxy.clear();
        const rule = proxy.rule(FIRST_WRITE, action);
        const killed = await caller.create(`${key}-${point}`, BODY);
        expect([rule.fired, killed.status]).toEqual([1, 500]);

        const retry = await caller.create(`${key}-${point}`, BODY);

        const jobs = await jobsUnder(`${key}-${point}`);
        expect(jobs.map(({ jobId }) => jobId)).toEqual([retry.body.id]);
        retries.push(retry);
      }
      return retries;
    },
  },
  {
    situation: 'the worker is killed at any step',
    answer: 'the job ends once, and one file is published',
    async play({ key, stack }) {
      const bench = await stack();
      const kill = () => process.kill(bench.stack.pids().runJob ?? Number.NaN, 'SIGKILL');

      const unsent = beforeForward(kill, blackhole());
      await holdOneEnd(bench, `${key}-1`, { at: FIRST_ARTICLE, happens: unsent });
      await holdOneEnd(bench, `${key}-2`, { at: FIRST_ARTICLE, happens: applied(kill) });
      // The create's own transaction is the first, the end of the job the second.
      await holdOneEnd(bench, `${key}-3`, { at: END, happens: applied(kill) });
      return [];
    },
  },
  {
    situation: 'the worker is frozen past its lease and goes on later',
    answer: 'the job ends once, and one file is published',
    async play({ key, stack }) {
      const bench = await stack();
      let frozen = Number.NaN;
      const freeze = () => {
        frozen = bench.stack.pids().runJob ?? Number.NaN;
        process.kill(frozen, 'SIGSTOP');
      };

      try {
        await holdOneEnd(bench, key, {
          at: FIRST_ARTICLE,
          happens: applied(freeze),
          meanwhile: async (jobId) => {
            await leaseOver(bench, jobId);
            process.kill(frozen, 'SIGCONT');
          },
        });
      } finally {
        process.kill(frozen, 'SIGCONT');
      }
      return [];
    },
  },
  {
    situation: 'a write of a dead worker arrives after another has finished the job',
    answer: 'nothing changes: the job stays as it ended',
    async play({ key, stack }) {
      const bench = await stack();
      const late = gate();
      await holdOneEnd(bench, key, {
        at: END,
        happens: holdRequest(late),
        meanwhile: async () => {
          await late.reached;
          process.kill(bench.stack.pids().runJob ?? Number.NaN, 'SIGKILL');
        },
      });
      const [ended] = await bench.jobsUnder(key);
      const write = await late.reached;

      late.open();
      await untilAnswered(write);

      expect(write.status).toBe(400);
      expect(await bench.jobsUnder(key)).toEqual([ended]);
      expect(ended?.run).toBeGreaterThan(1);
      return [];
    },
  },
];

type WorkerEvent = {
  /** The request of the worker at which it happens. */
  readonly at: Match;
  readonly happens: Action;
  /** What the play does before it waits for the end. */
  readonly meanwhile?: (jobId: string) => Promise<void>;
};

/** A job whose worker meets something: it ends once, as the table's stream tells, and has its file. */
async function holdOneEnd(
  { caller, database, finishedBySweeps, proxy }: StackBench,
  key: string,
  { at, happens, meanwhile }: WorkerEvent,
): Promise<void> {
  proxy.clear();
  const rule = proxy.rule(at, happens);
  const { body: made } = await caller.create(key, BODY);
  await rule.firstFired;
  await meanwhile?.(made.id);

  const job = await finishedBySweeps(made.id);

  expect(job.status).toBe('succeeded');
  const changes = await changesOfJob(database, made.id);
  expect(changes.filter(({ image }) => image.finishedAtMs !== undefined)).toHaveLength(1);
  const owed = await itemsOf(database, 'Notifications');
  expect(owed.filter(({ jobId }) => jobId === made.id)).toHaveLength(1);
  const led = await caller.send('GET', `/v1/export-jobs/${made.id}/file`);
  const file = await fetch(led.headers.get('location') ?? '');
  expect((await file.arrayBuffer()).byteLength).toBe(job.file.bytes);
}

/** Settles when the lease that stands in the table is over. */
async function leaseOver({ database }: StackBench, jobId: string): Promise<void> {
  const jobs = await itemsOf(database, 'ExportJobs');
  const untilMs = Number(jobs.find((job) => job.jobId === jobId)?.leaseUntilMs);
  expect(untilMs).toBeGreaterThan(0);
  while (Date.now() <= untilMs) await new Promise((done) => setTimeout(done, 50));
}

/** Settles when DynamoDB has answered the request. */
async function untilAnswered(request: WireRequest): Promise<void> {
  while (request.status === undefined) await new Promise((done) => setTimeout(done, 20));
}
