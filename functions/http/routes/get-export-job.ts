// GET /v1/export-jobs/{jobId}: the job as it is now, or, with Prefer: wait=N, at its next change.
// A function of its own: long waits never take the places of creates.

import type { ExportJob } from '#contract/export-job.ts';
import { HEADERS } from '#contract/headers.ts';
import { WAIT_SECONDS_MAX } from '#contract/limits.ts';
import { ROUTES } from '#contract/routes.ts';
import { isFinished } from '#export-jobs/job.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import { readExportJob } from '#export-jobs/read-export-jobs.ts';
import { type HttpAnswer, json, LOOK_AGAIN_MS } from '#http/answer.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { matches, readEntityTags } from '#http/entity-tags.ts';
import { jobEtag, jobView } from '#http/job-view.ts';
import { ProblemError } from '#http/problem.ts';
import { foundOr, jobIdInPath, startReading } from '#http/reading.ts';
import { type HttpRequest, principalOf } from '#http/request.ts';

/** Between two looks of a waiting request, milliseconds. */
const LOOK_EVERY_MS = 300;
/** Kept of the platform's time to answer in, milliseconds. */
const WAIT_MARGIN_MS = 2_000;
/** Kept of the caller's time, milliseconds: the answer has to travel. */
const CALLER_MARGIN_MS = 250;

type Look = { readonly view: ExportJob; readonly etag: string };

export function getExportJobRoute(jobs: JobReadPort, edge: Edge): Route {
  return {
    ...ROUTES.getExportJob,
    async answer(request) {
      const waitS = preferredWaitSeconds(request.header(HEADERS.prefer));
      const principal = principalOf(request);
      const jobId = jobIdInPath(request);
      const attempt = startReading(request, edge);
      const look = async (): Promise<Look> => {
        const read = await readExportJob(principal, jobId, jobs, attempt.withFreshBudget());
        const { job, articleIds } = foundOr(read, 'job-not-found');
        const view = jobView(job, edge.paths, articleIds);
        return { view, etag: jobEtag(view) };
      };
      const known = readEntityTags(request.header(HEADERS.ifNoneMatch), 'weak');
      const first = await look();
      const last =
        waitS === undefined
          ? first
          : await waitForChange(first, waitS, look, {
              callerLeftMs: attempt.callerLeftMs,
              request,
              changed: ({ etag }) => (known ? !matches(known, etag) : etag !== first.etag),
              edge,
            });
      const unchanged = known !== undefined && matches(known, last.etag);
      return jobAnswer(last, unchanged, waitS);
    },
  };
}

async function waitForChange(
  first: Look,
  waitS: number,
  look: () => Promise<Look>,
  {
    callerLeftMs,
    request,
    changed,
    edge: { world },
  }: {
    callerLeftMs: () => number;
    request: HttpRequest;
    changed: (look: Look) => boolean;
    edge: Edge;
  },
): Promise<Look> {
  const untilMs = world.monotonicMs() + waitS * 1000;
  let last = first;
  while (!isFinished(last.view.status) && !changed(last)) {
    const leftMs = Math.min(
      untilMs - world.monotonicMs(),
      request.platformRemainingMs() - WAIT_MARGIN_MS,
      callerLeftMs() - CALLER_MARGIN_MS,
    );
    if (leftMs <= 0) break;
    await world.sleepMs(Math.min(LOOK_EVERY_MS, leftMs));
    const next = await lookOrStay(look);
    if (!next) break; // the store is away for a moment: what was seen last is true and answers
    last = next;
  }
  return last;
}

/** @returns undefined when the store did not answer */
async function lookOrStay(look: () => Promise<Look>): Promise<Look | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'store-unavailable') return undefined;
    throw error;
  }
}

function jobAnswer(
  { view, etag }: Look,
  unchanged: boolean,
  waitS: number | undefined,
): HttpAnswer {
  const headers = {
    [HEADERS.etag]: `"${etag}"`,
    ...(waitS !== undefined && { [HEADERS.preferenceApplied]: `wait=${waitS}` }),
  };
  return {
    ...(unchanged ? { status: 304, headers } : json(200, view, headers)),
    ...(!isFinished(view.status) && { retryAfterMs: LOOK_AGAIN_MS }),
  };
}

/** `wait` of a Prefer header (RFC 7240, 4.3), cut to what we serve; anything else is not applied. */
function preferredWaitSeconds(header: string | undefined): number | undefined {
  const wait = header
    ?.split(',')
    .map((preference) => /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(;.*)?$/i.exec(preference)?.[1])
    .find((value) => value !== undefined);
  if (wait === undefined || Number(wait) < 1) return undefined;
  return Math.min(Number(wait), WAIT_SECONDS_MAX);
}
