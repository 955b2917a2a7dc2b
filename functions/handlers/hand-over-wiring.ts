// The hand-over of jobs to run-job, for the two functions that hand over: the stream's and the sweep.

import { LambdaClient } from '@aws-sdk/client-lambda';
import { readResource } from '#handlers/config.ts';
import type { EdgeWiring } from '#handlers/edge-wiring.ts';
import { createJobHandOver } from '#store/job-hand-over.ts';

/** The answer to an asynchronous invocation comes at once, or the hand-over is tried again. */
const INVOKE_TIMES = {
  connectionTimeout: 2_000,
  requestTimeout: 5_000,
  throwOnRequestTimeout: true,
};

/** @throws ConfigError */
export function handOverOf({ environment }: EdgeWiring) {
  const client = new LambdaClient({ maxAttempts: 3, requestHandler: INVOKE_TIMES });
  return createJobHandOver(client, readResource(environment, 'RUN_JOB_FUNCTION'));
}
