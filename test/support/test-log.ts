// Where the functions' logs go in tests: one file a test process, read as a whole at the end of the run.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Log, Signals } from '#http/edge.ts';

export const testLog: Log = {
  info: (message, fields) => write({ message, ...fields }),
  error: (message, fields, cause) =>
    write({ message, ...fields, failure: cause instanceof Error ? cause.message : typeof cause }),
};

/** Metrics are asked for where they are tested; elsewhere they would only print. */
export const noSignals: Signals = { measure: () => undefined, publish: () => undefined };

function write(line: object): void {
  const folder = inject('logFolder');
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.ndjson`), `${JSON.stringify(line)}\n`);
}
