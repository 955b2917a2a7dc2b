// Lambda entry: the stream of ExportJobs.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { handOverOf } from '#handlers/hand-over-wiring.ts';
import { handOverJobsHandler } from '#worker/hand-over-jobs.ts';

const base = wireEdge();
export const handler = handOverJobsHandler(handOverOf(base), base.log);
