// Lambda entry: the stream of ExportJobs.
import { handOver, workerLog } from '#handlers/wiring.ts';
import { handOverJobsHandler } from '#worker/hand-over-jobs.ts';

export const handler = handOverJobsHandler(handOver(), workerLog);
