// Gathers the logs of a whole run in one folder and reads them all at its end: each line one JSON object,
// bounded, without a token or anything a test marked as secret. A line that is not fails the run.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly logFolder: string;
  }
}

/** Tests put this into bodies, keys and texts. No log may ever show it. */
export const SECRET_MARK = 'CANARY';
/** How every JSON Web Token begins. */
const TOKEN_MARK = 'eyJ';
const LINE_CHARACTERS_MAX = 4_000;

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-logs-'));
  project.provide('logFolder', folder);
  return () => {
    const faults = readdirSync(folder).flatMap((name) =>
      logFaults(readFileSync(join(folder, name), 'utf8')),
    );
    rmSync(folder, { recursive: true, force: true });
    if (faults.length > 0) {
      throw new Error(`${faults.length} log lines are not fit to keep, such as: ${faults[0]}`);
    }
  };
}

/** What is wrong with the lines of a log. */
export function logFaults(log: string): string[] {
  return log.split('\n').flatMap((line) => (line === '' ? [] : (faultOf(line) ?? [])));
}

function faultOf(line: string): string | undefined {
  if (line.length > LINE_CHARACTERS_MAX) return `a line of ${line.length} characters`;
  if (line.includes(SECRET_MARK)) return `a secret in: ${line}`;
  if (line.includes(TOKEN_MARK)) return `a token in: ${line}`;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? undefined : `not an object: ${line}`;
  } catch {
    return `not JSON: ${line}`;
  }
}
