// The built command as a child process, as a user runs it, with a state directory of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildCommandPackage } from '#client/build.ts';
import type { Intent } from '#client/cli/intent.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface CommandLine {
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => Running;
  /** A folder of the test's own, where files may be saved: the working directory. */
  readonly folder: string;
  /** Intents in the journal, whatever their state. */
  readonly intents: () => Intent[];
  readonly journalFolder: string;
  readonly remove: () => void;
}

export async function commandLine(url: string, token: string): Promise<CommandLine> {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-command-'));
  const program = join(await buildCommandPackage(join(folder, 'built')), 'export-once.js');
  const state = join(folder, 'state');
  const journalFolder = join(state, 'intents');
  const start: CommandLine['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        EXPORT_ONCE_URL: url,
        EXPORT_ONCE_TOKEN: token,
        EXPORT_ONCE_STATE_DIR: state,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = new Promise<Pick<Ended, 'code' | 'signal'>>((done) =>
      child.once('close', (code, signal) => done({ code, signal })),
    );
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const ended = output.then(async ([stdout, stderr]) => ({ ...(await closed), stdout, stderr }));
    return { process: child, ended };
  };
  return {
    start,
    run: (args, env) => start(args, env).ended,
    folder,
    journalFolder,
    intents() {
      let names: string[] = [];
      try {
        names = readdirSync(journalFolder);
      } catch {
        // No intent has been kept so far.
      }
      return names
        .filter((name) => name.endsWith('.intent.json'))
        .map((name) => JSON.parse(readFileSync(join(journalFolder, name), 'utf8')));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
