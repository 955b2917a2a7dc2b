// The stack that runs on this machine, found by the file that it keeps while it runs. Of several the
// operator names one. A file that a killed stack left behind is passed by.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { OpsError } from '#ops/ops-error.ts';

const stackSchema = z.object({
  url: z.string(),
  dynamoDbEndpoint: z.string(),
  pids: z.looseObject({ stack: z.int() }),
  issuer: z.string(),
  environment: z.record(z.string(), z.string()),
});
export type RunningStack = z.infer<typeof stackSchema>;

const LOCAL_FOLDER = fileURLToPath(new URL('../../.local', import.meta.url));

/**
 * @param named a port, or the folder of `npm start -- --data`; undefined: the only one that runs
 * @throws OpsError
 */
export function findStack(named?: string, localFolder = LOCAL_FOLDER): RunningStack {
  if (named !== undefined) {
    const folder = /^\d+$/.test(named) ? join(localFolder, `run-${named}`) : named;
    const stack = readStack(folder);
    if (stack) return stack;
    throw new OpsError(
      `No stack runs ${/^\d+$/.test(named) ? `on port ${named}` : `in ${named}`}. Start one with npm start, or leave the name out.`,
    );
  }
  const running = runFolders(localFolder).flatMap((folder) => readStack(folder) ?? []);
  const [only, another] = running;
  if (!only) {
    throw new OpsError(
      'No stack runs on this machine. Start one with npm start, name the folder of one that keeps its data (--local DIR), or a deployed stage (--stage prod).',
    );
  }
  if (another) {
    const ports = running.map(({ url }) => new URL(url).port).join(', ');
    throw new OpsError(
      `Several stacks run, on the ports ${ports}. Name one: --local ${ports.split(',')[0]}.`,
    );
  }
  return only;
}

function runFolders(localFolder: string): string[] {
  if (!existsSync(localFolder)) return [];
  return readdirSync(localFolder)
    .filter((name) => name.startsWith('run-'))
    .map((name) => join(localFolder, name));
}

function readStack(folder: string): RunningStack | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'stack.json'), 'utf8');
  } catch {
    return undefined; // a folder of a stack that has ended, or no such folder
  }
  const parsed = stackSchema.safeParse(JSON.parse(text));
  if (!parsed.success) {
    throw new OpsError(
      `${folder}/stack.json is of another release. Stop that stack and start it again.`,
    );
  }
  return isAlive(parsed.data.pids.stack) ? parsed.data : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
