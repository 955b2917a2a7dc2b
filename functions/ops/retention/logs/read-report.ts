// Reads a report's material, log lines or an export of Insights, into findings; shows progress on the way.

import { readFileSync } from 'node:fs';
import cliProgress from 'cli-progress';
import { OpsError } from '#ops/ops-error.ts';
import {
  type ArrivalsTally,
  emptyTally,
  tallyAttempt,
  tallyLine,
} from '#ops/retention/logs/arrivals-tally.ts';
import { readLogLine } from '#ops/retention/logs/create-attempt-line.ts';
import { BAND_ENDS_MS, ROUND_WINDOWS_MS } from '#ops/retention/logs/find.ts';
import { INSIGHTS_ROWS_MAX, readInsightsExport } from '#ops/retention/logs/insights-export.ts';
import { latenessEdges } from '#ops/retention/logs/lateness-histogram.ts';
import { bytesOfFiles, logLines } from '#ops/retention/logs/log-lines.ts';

/** @param windowsMs candidates besides the round ones: counts under them are exact */
export async function tallyLogs(
  files: readonly string[],
  windowsMs: readonly number[],
): Promise<ArrivalsTally> {
  const tally = tallyFor(windowsMs);
  await readEach(files, (line) => tallyLine(tally, readLogLine(line)));
  return tally;
}

/** Every line of all files, with a bar on a terminal's error stream. */
export async function readEach(
  files: readonly string[],
  take: (line: string) => void,
): Promise<void> {
  const total = bytes(files);
  const bar = new cliProgress.SingleBar({
    format:
      total === undefined
        ? 'read {lines} lines'
        : '{bar} {percentage} %, {lines} lines, {eta_formatted} left',
    etaBuffer: 100,
    hideCursor: null,
    clearOnComplete: true,
    stream: process.stderr,
  });
  let lines = 0;
  bar.start(total ?? 1, 0, { lines: '0' });
  try {
    const counted = (read: number) => bar.increment(total === undefined ? 0 : read);
    for await (const batch of logLines(files, counted)) {
      for (const line of batch) {
        if (line !== '') take(line);
      }
      lines += batch.length;
      bar.update({ lines: lines.toLocaleString('en-US') });
    }
  } finally {
    bar.stop();
  }
}

/** @throws OpsError when the export is not of our query, or was cut */
export function tallyInsights(file: string, windowsMs: readonly number[]): ArrivalsTally {
  const tally = tallyFor(windowsMs);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new OpsError(`${file} cannot be read`);
  }
  let groups: ReturnType<typeof readInsightsExport>;
  try {
    groups = readInsightsExport(text);
  } catch (error) {
    throw new OpsError(error instanceof Error ? error.message : 'the export cannot be read');
  }
  if (groups.length >= INSIGHTS_ROWS_MAX) {
    throw new OpsError(`the export has ${groups.length} rows and was cut: ask for a shorter time`);
  }
  for (const { attempt, times, lastAtMs } of groups) {
    tally.lines += times;
    tallyAttempt(tally, attempt, times);
    tally.lastAtMs = Math.max(tally.lastAtMs, lastAtMs);
  }
  return tally;
}

function tallyFor(windowsMs: readonly number[]): ArrivalsTally {
  return emptyTally(latenessEdges([...ROUND_WINDOWS_MS, ...BAND_ENDS_MS, ...windowsMs]));
}

function bytes(files: readonly string[]): number | undefined {
  try {
    return bytesOfFiles(files);
  } catch (error) {
    const path = (error as NodeJS.ErrnoException).path ?? 'a file';
    throw new OpsError(`${path} cannot be read`);
  }
}
