// The run-job function: one job a call, handed over asynchronously. A throw makes the platform try again.

import type { Context } from 'aws-lambda';
import * as z from 'zod';
import type { Measure } from '#contract/metrics.ts';
import { type RunOutcome, runExportJob } from '#export-jobs/run-export-job.ts';
import type { RunPorts, RunSettings } from '#export-jobs/run-port.ts';
import type { WorkerLog, WorkerSignals } from '#worker/worker-log.ts';

const jobNameSchema = z.object({ owner: z.string().min(1), jobId: z.string().min(1) });

export type WorkerParts = { readonly log: WorkerLog; readonly signals: WorkerSignals };

export function runJobHandler(ports: RunPorts, settings: RunSettings, parts: WorkerParts) {
  const { log, signals } = parts;
  return async (event: unknown, context: Context): Promise<void> => {
    const name = jobNameSchema.parse(event);
    const startedMs = settings.tries.clock.monotonicMs();
    try {
      const outcome = await runExportJob(name, ports, {
        ...settings,
        platformRemainingMs: () => context.getRemainingTimeInMillis(),
      });
      measureRun(outcome, signals.measure);
      log.info('job run', {
        jobId: name.jobId,
        ...fieldsOf(outcome),
        tookMs: Math.round(settings.tries.clock.monotonicMs() - startedMs),
      });
    } catch (failure) {
      // The runtime prints what is thrown, whole; an SDK's error may quote what was sent.
      log.error('a job run failed', { jobId: name.jobId }, failure);
      throw new Error('the run failed; the line before names how');
    } finally {
      signals.publish();
    }
  };
}

function fieldsOf(outcome: RunOutcome): Record<string, string | number> {
  if (outcome.kind !== 'finished') return outcome;
  const { kind, status, run } = outcome;
  return { kind, status, run };
}

function measureRun(outcome: RunOutcome, measure: Measure): void {
  if (outcome.kind === 'stale') measure('RunStale', 1);
  if (outcome.kind === 'skipped') return;
  if (outcome.run > 1) measure('LeaseTakeover', 1);
  if (outcome.kind !== 'finished') return;
  measure('JobRuns', outcome.run);
  measure('JobQueuedTime', outcome.queuedMs);
  measure('JobRunningTime', outcome.runningMs);
  if (outcome.status === 'failed') measure('JobFailed', 1);
}
