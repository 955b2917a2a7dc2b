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
import type { Attempt } from '#http/attempt.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { matches, readEntityTags } from '#http/entity-tags.ts';
import { jobEtag, jobView } from '#http/job-view.ts';
import { ProblemError } from '#http/problem.ts';
import { foundOr, jobNamed, startReading } from '#http/reading.ts';

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
      const name = jobNamed(request);
      const attempt = startReading(request, edge);
      const look = async (): Promise<Look> => {
        const read = await readExportJob(name, jobs, attempt.withFreshBudget().tries);
        const { job, articleIds } = foundOr(read, 'job-not-found');
        const view = jobView(job, edge.paths, articleIds);
        return { view, etag: jobEtag(view) };
      };
      const known = readEntityTags(request.header(HEADERS.ifNoneMatch), 'weak');
      const first = await look();
      const last =
        waitS === undefined
          ? first
          : await waitForChange(first, look, {
              changed: ({ etag }) => (known ? !matches(known, etag) : etag !== first.etag),
              leftMs: timeToWait(waitS, attempt, request.platformRemainingMs),
              sleepMs: edge.world.sleepMs,
            });
      const unchanged = known !== undefined && matches(known, last.etag);
      return jobAnswer(last, unchanged, waitS);
    },
  };
}

type Waiting = {
  readonly changed: (look: Look) => boolean;
  /** What is left to wait, milliseconds. */
  readonly leftMs: () => number;
  readonly sleepMs: (ms: number) => Promise<void>;
};

async function waitForChange(
  first: Look,
  look: () => Promise<Look>,
  { changed, leftMs, sleepMs }: Waiting,
): Promise<Look> {
  let last = first;
  while (!isFinished(last.view.status) && !changed(last)) {
    const waitMs = Math.min(LOOK_EVERY_MS, leftMs());
    if (waitMs <= 0) break;
    await sleepMs(waitMs);
    const next = await lookOrStay(look);
    if (!next) break; // the store is away for a moment: what was seen last is true and answers
    last = next;
  }
  return last;
}

/** Until the preference, the platform's time or the caller's ends, whichever is first. */
function timeToWait(waitS: number, attempt: Attempt, platformRemainingMs: () => number) {
  const untilMs = attempt.tries.clock.monotonicMs() + waitS * 1000;
  return () =>
    Math.min(
      untilMs - attempt.tries.clock.monotonicMs(),
      platformRemainingMs() - WAIT_MARGIN_MS,
      attempt.callerLeftMs() - CALLER_MARGIN_MS,
    );
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
