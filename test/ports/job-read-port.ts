// The suite of the port that reads jobs.

import { v7 } from 'uuid';
import { expect } from 'vitest';
import type { JobListQuery } from '#export-jobs/job-read-port.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import {
  after,
  committedRecord,
  effectOf,
  GLANCE,
  NOW,
  named,
  newJob,
  READ,
  sending,
  storedJob,
} from '#test/ports/sample-values.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';

/** More pages than any list of these cases has. */
const PAGES_MAX = 600;
/** A page that filters looks at fewer jobs than these. */
const MANY = 520;

type Asked = Partial<JobListQuery> & { readonly owner: string };

async function page({ ports }: StoreBench, { owner, ...query }: Asked) {
  const read = await ports.jobs.listJobs(owner, { limit: 10, ...query }, READ);
  if (read.kind !== 'found') throw new Error(`a page could not be read: ${read.kind}`);
  const ids = read.value.jobs.map(({ jobId }) => jobId);
  return { ids, next: read.value.nextAfterJobId };
}

/** All pages, to the end. */
async function pages(on: StoreBench, asked: Asked): Promise<readonly (readonly string[])[]> {
  const read: (readonly string[])[] = [];
  let next: string | undefined;
  do {
    const one = await page(on, { ...asked, ...(next !== undefined && { afterJobId: next }) });
    read.push(one.ids);
    next = one.next;
  } while (next !== undefined && read.length < PAGES_MAX);
  return read;
}

/** Jobs of one owner, a second apart, oldest first. */
async function jobsOf(on: StoreBench, owner: string, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { jobId } = await storedJob(on, { owner, createdAtMs: after(n * 1_000) });
    ids.push(jobId);
  }
  return ids;
}

export const JOB_READ_SUITE: PortSuite<StoreBench> = {
  port: 'JobReadPort',
  cases: {
    '1. reads at once what was acknowledged: the job, the list, the claim': async (on) => {
      const record = committedRecord();
      const effect = effectOf(record, named('claim'));
      await on.ports.commits.prepare(record, effect).send(sending());
      const { articleIds: _, ...job } = effect.job;

      const read = await on.ports.jobs.readJob(job.owner, job.jobId, READ);
      const claim = await on.ports.jobs.readClaim(effect.claimKey ?? '', READ);

      expect(read).toMatchObject({ kind: 'found', value: job });
      expect(claim).toMatchObject({ kind: 'found', value: { resourceId: job.jobId } });
      expect((await page(on, { owner: job.owner })).ids).toEqual([job.jobId]);
    },

    "2. reaches an owner's own jobs alone": async (on) => {
      const [job, other] = [await storedJob(on), await storedJob(on)];

      const read = await on.ports.jobs.readJob(other.owner, job.jobId, READ);
      const { jobId } = job;
      const ids = await on.ports.jobs.readArticleIds(newJob({ owner: other.owner, jobId }), READ);

      expect(read).toEqual({ kind: 'none' });
      expect(ids).not.toMatchObject({ value: job.articleIds.toReversed() });
      expect((await page(on, { owner: other.owner })).ids).toEqual([other.jobId]);
    },

    '3. may be short or empty and have a next, and finds every match on the way': async (on) => {
      const owner = named('owner');
      const sought = await storedJob(on, { owner, createdAtMs: NOW, idempotencyKey: 'sought' });
      for (let n = 0; n < MANY; n += 40) {
        await Promise.all(
          Array.from({ length: 40 }, (_, at) =>
            storedJob(on, { owner, createdAtMs: after(1_000 + n + at) }),
          ),
        );
      }

      const read = await pages(on, { owner, idempotencyKey: 'sought' });

      expect(read[0]).toEqual([]);
      expect(read.flat()).toEqual([sought.jobId]);
    },

    '3. fills a page with matches, and has no next after the last': async (on) => {
      const owner = named('owner');
      const ids = await jobsOf(on, owner, 5);
      const newest = ids.toReversed();

      const first = await page(on, { owner, status: 'queued', limit: 3 });
      const rest = await page(on, { owner, status: 'queued', afterJobId: first.next ?? '' });

      expect(first.ids).toEqual(newest.slice(0, 3));
      expect(rest).toEqual({ ids: newest.slice(3), next: undefined });
    },

    '4. lists newest first, each job once': async (on) => {
      const owner = named('owner');
      const ids = await jobsOf(on, owner, 7);

      const read = await pages(on, { owner, limit: 3 });

      expect(read.flat()).toEqual(ids.toReversed());
      expect(read[0]).toHaveLength(3);
    },

    '4. moves no job between pages when another is inserted meanwhile': async (on) => {
      const owner = named('owner');
      const ids = await jobsOf(on, owner, 4);
      const first = await page(on, { owner, limit: 2 });
      await storedJob(on, { owner, createdAtMs: after(60_000) });

      const second = await page(on, { owner, limit: 2, afterJobId: first.next ?? '' });

      expect([...first.ids, ...second.ids]).toEqual(ids.toReversed());
    },

    '5. includes both instants, to the millisecond': async (on) => {
      const owner = named('owner');
      const at = async (ms: number) =>
        (await storedJob(on, { owner, createdAtMs: after(ms) })).jobId;
      const [before, first, last, beyond] = [await at(0), await at(1), await at(9), await at(10)];

      const within = { owner, createdFromMs: after(1), createdUntilMs: after(9) };

      expect((await page(on, within)).ids).toEqual([last, first]);
      expect((await page(on, { ...within, afterJobId: last })).ids).toEqual([first]);
      const wider = { owner, createdFromMs: after(0), createdUntilMs: after(10) };
      expect((await page(on, wider)).ids).toEqual([beyond, last, first, before]);
    },

    '6. gives back the article IDs in their order, few or five hundred': async (on) => {
      const many = Array.from({ length: 500 }, (_, n) => `article-${(n * 7) % 500}`);

      for (const articleIds of [['z', 'a', 'm'], many]) {
        const stored = await storedJob(on, { articleIds });
        const read = await on.ports.jobs.readJob(stored.owner, stored.jobId, READ);
        if (read.kind !== 'found') throw new Error(read.kind);

        expect(await on.ports.jobs.readArticleIds(read.value, READ)).toEqual({
          kind: 'found',
          value: articleIds,
        });
      }
    },

    '6. lists a job with many article IDs once': async (on) => {
      const articleIds = Array.from({ length: 500 }, (_, n) => `article-${n}`);
      const { owner, jobId } = await storedJob(on, { articleIds });

      expect((await pages(on, { owner })).flat()).toEqual([jobId]);
    },

    '7. says none of what is proven absent alone': async (on) => {
      const { jobs } = on.ports;
      const { articleIds: _, ...absent } = newJob();
      const reads = (o: typeof READ) => [
        jobs.readJob(absent.owner, absent.jobId, o),
        jobs.readArticleIds(absent, o),
        jobs.readClaim('nobody', o),
      ];

      const proven = await Promise.all(reads(READ));
      const glanced = await Promise.all(reads(GLANCE));
      on.faults.emptyReads();
      const empty = await Promise.all(reads(READ));

      const kinds = [proven, glanced, empty].map((each) => each.map(({ kind }) => kind));
      expect(kinds).toEqual([
        ['none', 'none', 'none'],
        ['failed', 'failed', 'failed'],
        ['failed', 'failed', 'failed'],
      ]);
    },

    '7. fails a page of which nothing is proven': async (on) => {
      const { owner } = await storedJob(on);
      const empty = on.faults.emptyReads();

      const read = await on.ports.jobs.listJobs(owner, { limit: 10 }, READ);

      expect(empty.bitten()).toBe(1);
      expect(read).toEqual({ kind: 'failed' });
    },

    '8. throws a job that does not parse, alone and in a list': async (on) => {
      const { owner } = await storedJob(on);
      const spoiled = await storedJob(on, { owner, jobId: v7() });
      await on.spoil({ of: 'job', job: spoiled });

      const reads = [
        () => on.ports.jobs.readJob(owner, spoiled.jobId, READ),
        () => on.ports.jobs.listJobs(owner, { limit: 10 }, READ),
      ];

      for (const read of reads)
        await expect(read()).rejects.toMatchObject({ code: 'corrupt-item' });
    },
  },
};
