// The table of exit codes in docs/client/exit-codes.md, made by running the command: each command in each
// situation, as a process, against a service that answers so. Nothing in it is written by hand.

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_MEANINGS } from '#client/cli/exit-codes.ts';
import type { CommandLine, Connected } from '#test/client/command.ts';
import {
  answers,
  resets,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '#test/client/scripted-server.ts';
import { wholeService } from '#test/client/whole-service.ts';
import { JOB_ID, problemAnswer } from '#test/client/wire-answers.ts';

/** More requests than any one command sends here. */
const REQUESTS_MAX = 100;
/** Processes at a time: the machine may have two cores. */
const AT_ONCE = 3;

interface Line {
  readonly shown: string;
  readonly args: readonly string[];
  /** How the service refuses it. */
  readonly refusal: Step;
  /** An intent is open before. */
  readonly needsOpenIntent?: boolean;
}

interface Situation {
  readonly shown: string;
  readonly service: (line: Line) => Step;
  readonly connected?: (full: number) => Connected;
  readonly isInterrupted?: boolean;
}

const notFound = answers(problemAnswer('job-not-found', 404));
const invalid = answers(problemAnswer('validation-failed', 400));
const changed = answers(problemAnswer('precondition-failed', 412));
const noArticle = answers(problemAnswer('article-not-found', 404));
const finished = answers(problemAnswer('job-already-finished', 409));
const noToken = answers(problemAnswer('unauthenticated', 401));
const reused = answers(
  problemAnswer('operation-committed', 409, { job: { id: JOB_ID, href: '/x' } }),
);

const PUT = ['articles', 'put', 'a-1', 'a-1.md', '--title', 'First'];
const LINES: readonly Line[] = [
  { shown: 'create', args: ['create', 'a-1', '--timeout', '20'], refusal: invalid },
  {
    shown: 'create --download',
    args: ['create', 'a-1', '--timeout', '20', '--download', '--force', '-o', 'created.txt'],
    refusal: invalid,
  },
  { shown: 'resume', args: ['resume'], refusal: noToken, needsOpenIntent: true },
  { shown: 'status', args: ['status', JOB_ID], refusal: notFound },
  { shown: 'wait', args: ['wait', JOB_ID, '--timeout', '6'], refusal: notFound },
  { shown: 'list', args: ['list'], refusal: noToken },
  { shown: 'cancel', args: ['cancel', JOB_ID], refusal: finished },
  {
    shown: 'download',
    args: ['download', JOB_ID, '--force', '-o', 'downloaded.txt'],
    refusal: notFound,
  },
  { shown: 'download -o -', args: ['download', JOB_ID, '-o', '-'], refusal: notFound },
  { shown: 'operations show', args: ['operations', 'show', 'k'], refusal: noToken },
  { shown: 'operations abandon', args: ['operations', 'abandon', 'k'], refusal: reused },
  { shown: 'articles put', args: PUT, refusal: changed },
  { shown: 'articles get', args: ['articles', 'get', 'a-1'], refusal: noArticle },
  { shown: 'articles list', args: ['articles', 'list'], refusal: noToken },
  { shown: 'articles delete', args: ['articles', 'delete', 'a-1'], refusal: changed },
];

const SITUATIONS: readonly Situation[] = [
  { shown: 'success', service: () => wholeService },
  { shown: 'refused', service: ({ refusal }) => refusal },
  { shown: 'unknown', service: () => resets },
  {
    shown: 'cannot write: disk full',
    service: () => wholeService,
    connected: (full) => ({ stdout: full }),
  },
  {
    shown: 'cannot write: reader gone',
    service: () => wholeService,
    connected: () => ({ stdout: 'gone' }),
  },
  {
    shown: 'cannot write: stderr full',
    service: () => wholeService,
    connected: (full) => ({ stderr: full }),
  },
  {
    shown: 'refused, and neither can be written',
    service: ({ refusal }) => refusal,
    connected: (full) => ({ stdout: full, stderr: full }),
  },
  {
    shown: 'unknown, and neither can be written',
    service: () => resets,
    connected: (full) => ({ stdout: full, stderr: full }),
  },
  { shown: 'interrupted', service: () => () => {}, isInterrupted: true },
];

/** @returns the table as Markdown */
export async function exitCodeTable(command: CommandLine): Promise<string> {
  writeFileSync(join(command.folder, 'a-1.md'), '# First\n');
  const cells = LINES.flatMap((line) => SITUATIONS.map((situation) => ({ line, situation })));
  const codes = new Map<string, number | null>();
  const left = cells.values();
  const work = async () => {
    for (const { line, situation } of left) {
      codes.set(`${line.shown}|${situation.shown}`, await codeOf(line, situation, command));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const rows = LINES.map(({ shown }) => [
    `\`${shown}\``,
    ...SITUATIONS.map((situation) => `${codes.get(`${shown}|${situation.shown}`)}`),
  ]);
  return tableOf([['command', ...SITUATIONS.map(({ shown }) => shown)], ...rows]);
}

/** What each code says, as the command itself does. */
export function meaningsTable(): string {
  return tableOf([['code', 'meaning'], ...Object.entries(EXIT_MEANINGS)]);
}

async function codeOf(
  line: Line,
  situation: Situation,
  command: CommandLine,
): Promise<number | null> {
  const server = await startScriptedServer();
  const full = openSync('/dev/full', 'w');
  try {
    const env = {
      EXPORT_ONCE_URL: server.url,
      EXPORT_ONCE_STATE_DIR: join(command.folder, `state-${new URL(server.url).port}`),
    };
    if (line.needsOpenIntent) {
      always(server, resets);
      await command.run(['create', 'a-1'], env);
    }
    const arrived = Promise.withResolvers<void>();
    const answer = situation.service(line);
    always(server, (exchange) => {
      arrived.resolve();
      answer(exchange);
    });
    const running = command.start(line.args, env, situation.connected?.(full));
    if (situation.isInterrupted) {
      await arrived.promise;
      running.process.kill('SIGINT');
    }
    return (await running.ended).code;
  } finally {
    closeSync(full);
    await server.close();
  }
}

function always({ script, scriptOthers }: ScriptedServer, step: Step): void {
  const steps = Array.from({ length: REQUESTS_MAX }, () => step);
  script(...steps);
  scriptOthers(...steps);
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
