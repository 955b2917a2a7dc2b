// The run-job function: one job a call, handed over asynchronously. A throw makes the platform try again.

import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { runExportJob } from '#export-jobs/run-export-job.ts';
import type { RunEnvironment, RunPorts } from '#export-jobs/run-port.ts';
import type { WorkerLog } from '#worker/worker-log.ts';

const jobNameSchema = z.object({ owner: z.string().min(1), jobId: z.string().min(1) });

export type RunSettings = Omit<RunEnvironment, 'platformRemainingMs'>;

export function runJobHandler(ports: RunPorts, settings: RunSettings, log: WorkerLog) {
  return async (event: unknown, context: Context): Promise<void> => {
    const name = jobNameSchema.parse(event);
    const startedMs = settings.clock.monotonicMs();
    const outcome = await runExportJob(name, ports, {
      ...settings,
      platformRemainingMs: () => context.getRemainingTimeInMillis(),
    });
    log.info('job run', {
      jobId: name.jobId,
      ...outcome,
      tookMs: Math.round(settings.clock.monotonicMs() - startedMs),
    });
  };
}
