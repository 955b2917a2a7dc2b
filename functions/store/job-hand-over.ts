// Hands a job to the run-job function: asynchronously, by the Lambda API.

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { JobName } from '#export-jobs/job.ts';

export function createJobHandOver(client: LambdaClient, FunctionName: string) {
  return async ({ owner, jobId }: JobName): Promise<void> => {
    await client.send(
      new InvokeCommand({
        FunctionName,
        InvocationType: 'Event',
        Payload: Buffer.from(JSON.stringify({ owner, jobId }), 'utf8'),
      }),
    );
  };
}
