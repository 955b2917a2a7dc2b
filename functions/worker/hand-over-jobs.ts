// The stream function: it only hands over, one asynchronous invocation a new job, so that one long or
// poisoned job holds up nobody else. Delivery is at least once; run-job decides by the table.
// A record that is not ours to hand over is passed by; one that cannot be handed over is reported.

import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import type { JobName } from '#export-jobs/job.ts';
import type { WorkerLog } from '#worker/worker-log.ts';

export type HandOver = (job: JobName) => Promise<void>;

const newJobSchema = z.object({
  eventName: z.literal('INSERT'),
  dynamodb: z.object({
    Keys: z.object({ owner: z.object({ S: z.string() }), jobId: z.object({ S: z.string() }) }),
    NewImage: z.object({ status: z.object({ S: z.literal('queued') }) }),
  }),
});

export function handOverJobsHandler(handOver: HandOver, log: WorkerLog) {
  return async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const results = await Promise.allSettled(
      event.Records.map(async (record) => {
        const job = newJobSchema.safeParse(record);
        if (!job.success) return;
        const { owner, jobId } = job.data.dynamodb.Keys;
        await handOver({ owner: owner.S, jobId: jobId.S });
      }),
    );
    // Lambda starts again at the lowest number reported, so the first failure is enough.
    const failed = results.findIndex(({ status }) => status === 'rejected');
    if (failed < 0) return { batchItemFailures: [] };
    const result = results[failed];
    const itemIdentifier = event.Records[failed]?.dynamodb?.SequenceNumber;
    log.error(
      'a new job could not be handed over',
      {},
      result?.status === 'rejected' && result.reason,
    );
    // Without a number nothing could be reported: the whole batch fails, and comes again.
    if (!itemIdentifier) throw new Error('a stream record without a sequence number failed');
    return { batchItemFailures: [{ itemIdentifier }] };
  };
}
