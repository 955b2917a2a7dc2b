// Where the functions' logs go in tests: one file a test process, read as a whole at the end of the run.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Log, Signals } from '#http/edge-parts.ts';

export const testLog: Log = {
  info: (message, fields) => write({ message, ...fields }),
  error: (message, fields, cause) =>
    write({ message, ...fields, failure: cause instanceof Error ? cause.message : typeof cause }),
};

/** Metrics are asked for where they are tested; elsewhere they would only print. */
export const noSignals: Signals = { measure: () => undefined, publish: () => undefined };

/** Hands the log of a stack's functions to those who read all logs at the end of the run. */
export function keepLog(log: string): void {
  for (const line of functionLines(log)) append(line);
}

/**
 * The lines of a stack's log. What the runtime says of a function that threw, or of a process that was
 * killed, is not the functions' own and is no JSON: it is wrapped, so that it is read for secrets alone.
 */
export function functionLines(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    if (line === '') return [];
    return line.startsWith('{') ? line : JSON.stringify({ ofTheRuntime: line });
  });
}

function write(line: object): void {
  append(JSON.stringify(line));
}

function append(line: string): void {
  const folder = inject('logFolder');
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.ndjson`), `${line}\n`);
}
