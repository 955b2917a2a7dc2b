// `retention plan`: reads what is in force and what is asked for, prints the verdict; exit code 1 if refused.

import { readFileSync } from 'node:fs';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';
import { EXIT_FOUND, OpsError } from '#ops/ops-error.ts';
import { parseFindings } from '#ops/retention/logs/findings.ts';
import { durationOption } from '#ops/retention/output/duration-text.ts';
import { planText } from '#ops/retention/output/plan-text.ts';
import { numberOption } from '#ops/retention/run-report.ts';
import { appended, type Change, readProposal } from '#ops/retention/schedule/change.ts';
import { planChange } from '#ops/retention/schedule/change-plan.ts';
import {
  type Live,
  readLive,
  scheduleFrom,
  scheduleOfEnvironment,
  scheduleText,
} from '#ops/retention/schedule/schedule-sources.ts';

export type ChangeOptions = {
  readonly live: string;
  readonly window?: string;
  readonly grace?: string;
  readonly from?: string;
  readonly schedule?: string;
  readonly deployBy?: string;
};

export type PlanOptions = ChangeOptions & {
  readonly inForce?: string;
  readonly stage: string;
  readonly retryHorizon?: string;
  readonly report?: string;
  readonly coverage: string;
};

/** Until a deployment that is planned now has been made, milliseconds. */
const DEPLOY_WITHIN_MS = 3_600_000;

/** @throws OpsError */
export async function runPlan(options: PlanOptions): Promise<void> {
  const live = await readLive(options.live);
  const change = await readChange(options, live);
  const held = await heldSchedule(options, live);
  const coverage = numberOption('--coverage', options.coverage) ?? 100;
  if (coverage > 100) throw new OpsError('--coverage takes a percentage up to 100.');
  const plan = await planChange({
    change,
    ...(held && { held }),
    deployment: { stage: options.stage, jobRetention: live.jobRetention },
    needs: {
      coverage: coverage / 100,
      ...(options.retryHorizon && { retryHorizonMs: durationOption(options.retryHorizon) }),
      ...(options.report && { findings: readFindings(options.report) }),
    },
  });
  console.log(planText(plan, change));
  if (!plan.safe) process.exitCode = EXIT_FOUND;
}

/** @throws OpsError when what is asked for is no schedule */
export async function readChange(options: ChangeOptions, { policy }: Live): Promise<Change> {
  const { window, schedule, grace, from } = options;
  if ((window === undefined) === (schedule === undefined)) {
    throw new OpsError('Name the change by --window, or a whole schedule by --schedule.');
  }
  const deployMs = instantOption('--deploy-by', options.deployBy) ?? inAnHour();
  instantOption('--from', from);
  const entry = { ...(grace !== undefined && { grace }), ...(from !== undefined && { from }) };
  const proposed =
    schedule !== undefined
      ? readProposal(policy, await scheduleText(schedule))
      : appended(policy, { window: window ?? '', ...entry }, deployMs);
  if (proposed.kind === 'refused') throw new OpsError(`This is no schedule: ${proposed.sentence}.`);
  return { inForce: policy, proposed: proposed.value, deployMs };
}

async function heldSchedule({ inForce }: PlanOptions, { policy }: Live) {
  const schedule =
    inForce === undefined
      ? scheduleOfEnvironment()
      : scheduleFrom(await scheduleText(inForce), '--in-force');
  return schedule && { ...policy, schedule };
}

function readFindings(path: string) {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new OpsError(`${path} cannot be read`);
  }
  try {
    return parseFindings(text);
  } catch (error) {
    throw new OpsError(`${path}: ${error instanceof Error ? error.message : 'no report'}.`);
  }
}

function instantOption(name: string, text: string | undefined): EpochMs | undefined {
  if (text === undefined) return undefined;
  const atMs = Date.parse(text);
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && atMs >= 0) return epochMs(atMs);
  throw new OpsError(`${name} takes an instant such as 2026-12-01T00:00:00Z, not "${text}".`);
}

function inAnHour(): EpochMs {
  return epochMs(Date.now() + DEPLOY_WITHIN_MS);
}
