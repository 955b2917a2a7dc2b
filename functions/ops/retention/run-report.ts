// `retention report`: from log lines to a table on the terminal, a page, and findings as JSON.

import { writeFileSync } from 'node:fs';
import type { RetentionEntry } from '#idempotency/retention-schedule.ts';
import { OpsError } from '#ops/ops-error.ts';
import { ASSUMED_PURGE_LAG_MS, measuredKeyBytes, PRICES } from '#ops/retention/logs/cost-model.ts';
import { findFrom } from '#ops/retention/logs/find.ts';
import { INSIGHTS_QUERY } from '#ops/retention/logs/insights-export.ts';
import { tallyInsights, tallyLogs } from '#ops/retention/logs/read-report.ts';
import { durationOption } from '#ops/retention/output/duration-text.ts';
import { reportPage } from '#ops/retention/output/report-page.ts';
import { reportText } from '#ops/retention/output/report-text.ts';
import {
  defaultSchedule,
  readLive,
  scheduleOfEnvironment,
} from '#ops/retention/schedule/schedule-sources.ts';

export type ReportOptions = {
  readonly live?: string;
  readonly window?: readonly string[];
  readonly grace?: string;
  readonly insights?: string;
  readonly insightsQuery?: boolean;
  readonly html?: string;
  readonly json?: string;
  readonly keysPerDay?: string;
  readonly keyBytes?: string;
  readonly purgeLag?: string;
  readonly storagePrice?: string;
  readonly recoveryPrice?: string;
  readonly writePrice?: string;
};

/** @throws OpsError */
export async function runReport(logs: readonly string[], options: ReportOptions): Promise<void> {
  if (options.insightsQuery) {
    console.log(INSIGHTS_QUERY);
    return;
  }
  if (!options.insights && logs.length === 0 && process.stdin.isTTY) {
    throw new OpsError('Give files of log lines, or send lines to standard input.');
  }
  const inForce = await entryOf(options);
  const windowsMs = (options.window ?? []).map(durationOption);
  const exactMs = [...windowsMs, inForce.windowMs];
  const tally = options.insights
    ? tallyInsights(options.insights, exactMs)
    : await tallyLogs(logs, exactMs);
  if (tally.attempts === 0) {
    throw new OpsError(
      `None of the ${tally.lines} lines is a create attempt. Are they the logs of the create function?`,
    );
  }
  const findings = findFrom(tally, {
    source: options.insights ? 'CloudWatch Logs Insights' : sourceOf(logs),
    inForce,
    windowsMs,
    keysPerDay: numberOption('--keys-per-day', options.keysPerDay),
    costs: costsOf(options),
    purgeLagMs: options.purgeLag === undefined ? undefined : durationOption(options.purgeLag),
    assumedPurgeLagMs: ASSUMED_PURGE_LAG_MS,
  });
  console.log(reportText(findings));
  if (options.html) writeFileSync(options.html, reportPage(findings));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(findings)}\n`);
}

/** The entry that judges keys minted now: live, else of this shell, else the default. */
async function entryOf({ live, grace }: ReportOptions) {
  const environment = scheduleOfEnvironment();
  const [schedule, source] = live
    ? [(await readLive(live)).policy.schedule, live]
    : environment
      ? [environment, 'RETENTION_SCHEDULE']
      : [defaultSchedule(), 'the default; give --live'];
  const nowMs = Date.now();
  const entry: RetentionEntry = schedule.findLast(({ fromMs }) => fromMs <= nowMs) ?? schedule[0];
  const graceMs = grace === undefined ? entry.graceMs : durationOption(grace);
  return { windowMs: entry.windowMs, graceMs, source };
}

function costsOf(options: ReportOptions) {
  const price = numberOption;
  return {
    storageUsdPerGbMonth:
      price('--storage-price', options.storagePrice) ?? PRICES.storageUsdPerGbMonth,
    recoveryUsdPerGbMonth:
      price('--recovery-price', options.recoveryPrice) ?? PRICES.recoveryUsdPerGbMonth,
    writeUsdPerMillion: price('--write-price', options.writePrice) ?? PRICES.writeUsdPerMillion,
    keyBytes: numberOption('--key-bytes', options.keyBytes) ?? measuredKeyBytes(),
  };
}

/** @throws OpsError when it is no number of zero or more */
export function numberOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new OpsError(`${name} takes a number, not "${text}".`);
}

function sourceOf(logs: readonly string[]): string {
  if (logs.length === 0 || logs.includes('-')) return 'standard input';
  return logs.length === 1 ? `${logs[0]}` : `${logs.length} files`;
}
