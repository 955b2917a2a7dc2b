// The built command as a child process, as a user runs it, with a state directory of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { buildCommandPackage } from '#client/build.ts';
import type { Intent } from '#client/cli/intent.ts';

type Env = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the process is connected, where it is not by pipes that are read. */
export interface Connected {
  /** What standard input holds; nothing without it. */
  readonly stdin?: Uint8Array;
  /** A file descriptor that takes stdout, or `gone`: a pipe whose reader has left. */
  readonly stdout?: number | 'gone';
  readonly stderr?: number | 'gone';
  /** Another program before it, such as `bash -c`: gets the line of the command behind its own words. */
  readonly under?: readonly string[];
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface CommandLine {
  readonly run: (args: readonly string[], env?: Env, connected?: Connected) => Promise<Ended>;
  readonly start: (args: readonly string[], env?: Env, connected?: Connected) => Running;
  /** The built file. */
  readonly program: string;
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
  const start: CommandLine['start'] = (args, env = {}, connected = {}) => {
    const [first = '', ...others] = [
      ...(connected.under ?? []),
      process.execPath,
      program,
      ...args,
    ];
    const child = spawn(first, others, {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        EXPORT_ONCE_URL: url,
        EXPORT_ONCE_TOKEN: token,
        EXPORT_ONCE_STATE_DIR: state,
        ...env,
      },
      stdio: [
        connected.stdin ? 'pipe' : 'ignore',
        pipeOr(connected.stdout),
        pipeOr(connected.stderr),
      ],
    });
    const closed = new Promise<Pick<Ended, 'code' | 'signal'>>((done) =>
      child.once('close', (code, signal) => done({ code, signal })),
    );
    child.stdin?.end(connected.stdin);
    const output = Promise.all([
      textOf(child.stdout, connected.stdout),
      textOf(child.stderr, connected.stderr),
    ]);
    const ended = output.then(async ([stdout, stderr]) => ({ ...(await closed), stdout, stderr }));
    return { process: child, ended };
  };
  return {
    start,
    run: (args, env, connected) => start(args, env, connected).ended,
    folder,
    program,
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

function pipeOr(stream: Connected['stdout']): number | 'pipe' {
  return typeof stream === 'number' ? stream : 'pipe';
}

async function textOf(stream: Readable | null, connected: Connected['stdout']): Promise<string> {
  if (connected !== 'gone') return stream ? text(stream) : '';
  stream?.destroy();
  return '';
}
