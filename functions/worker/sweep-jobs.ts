// The scheduled function: hands over again what got stuck.

import { type SweepSettings, sweepExportJobs } from '#export-jobs/sweep-export-jobs.ts';
import type { SweepPort } from '#export-jobs/sweep-port.ts';
import { epochMs } from '#idempotency/epoch.ts';
import type { HandOver } from '#worker/hand-over-jobs.ts';
import type { WorkerLog, WorkerSignals } from '#worker/worker-log.ts';

export function sweepJobsHandler(
  { sweep, handOver }: { readonly sweep: SweepPort; readonly handOver: HandOver },
  settings: Omit<SweepSettings, 'nowMs'> & { readonly nowMs: () => number },
  { log, signals }: { readonly log: WorkerLog; readonly signals: WorkerSignals },
) {
  return async (): Promise<void> => {
    const nowMs = epochMs(Math.floor(settings.nowMs()));
    const { failures, ...outcome } = await sweepExportJobs(sweep, handOver, { ...settings, nowMs });
    log.info('sweep', { ...outcome, failed: failures.length });
    signals.measure('SweepDue', outcome.due);
    signals.measure('SweepOldest', outcome.oldestDueMs ?? 0);
    signals.measure('OldestDueJob', outcome.oldestJobMs ?? 0);
    signals.publish();
    if (failures.length === 0) return;
    log.error('jobs could not be handed over', { failed: failures.length }, failures[0]);
    throw new Error(`${failures.length} of ${outcome.due} hand-overs failed`);
  };
}
