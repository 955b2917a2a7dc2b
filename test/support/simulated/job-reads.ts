// Reading the jobs of the simulated store. Its pages look at a few jobs only, so that whoever reads them must
// go on where a page ends.

import type { JobListQuery, JobPage, JobReadPort } from '#export-jobs/job-read-port.ts';
import type { SimulatedStore } from '#test/support/simulated/store.ts';
import { jobKey, ownedBy, ownedKey } from '#test/support/simulated/tables.ts';

/** Jobs that a filtered page looks at. */
const LOOKED_AT_MAX = 100;

export function simulatedJobReads({
  tables,
  travel,
}: Pick<SimulatedStore, 'tables' | 'travel'>): JobReadPort {
  return {
    readJob: (owner, jobId, options) =>
      travel.get(options, () => tables.jobs.get(ownedKey(owner, jobId))?.job),
    readArticleIds: (job, options) =>
      travel.get(options, () => tables.jobs.get(jobKey(job))?.articleIds),
    listJobs: (owner, query) =>
      travel.page(() =>
        pageOf(
          ownedBy(tables.jobs, owner).map(({ job }) => job),
          query,
        ),
      ),
    readClaim: (claimKey, options) => travel.get(options, () => tables.claims.get(claimKey)),
  };
}

function pageOf(jobs: JobPage['jobs'], query: JobListQuery): JobPage {
  const { status, idempotencyKey, afterJobId, limit } = query;
  const { createdFromMs, createdUntilMs } = query;
  const filtered = status !== undefined || idempotencyKey !== undefined;
  const within = jobs
    .filter(({ jobId }) => afterJobId === undefined || jobId < afterJobId)
    .filter(({ jobId }) => {
      const atMs = mintedAtMs(jobId);
      return atMs >= (createdFromMs ?? 0) && atMs <= (createdUntilMs ?? Number.POSITIVE_INFINITY);
    })
    .toSorted((a, b) => (a.jobId < b.jobId ? 1 : -1));
  const looked = within.slice(0, filtered ? LOOKED_AT_MAX : limit);
  const matching = looked.filter(
    (job) =>
      (status === undefined || job.status === status) &&
      (idempotencyKey === undefined || job.idempotencyKey === idempotencyKey),
  );
  const page = matching.slice(0, limit);
  const end = matching.length > limit ? page.at(-1) : looked.at(-1);
  const more = matching.length > limit || looked.length < within.length;
  return { jobs: page, ...(more && end && { nextAfterJobId: end.jobId }) };
}

/** The time in a UUIDv7. */
function mintedAtMs(jobId: string): number {
  return Number.parseInt(jobId.replaceAll('-', '').slice(0, 12), 16);
}
