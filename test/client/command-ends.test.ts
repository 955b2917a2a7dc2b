// The command ends by its outcome, whatever its streams, its disk and its own faults do.

import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, commandLine } from '#test/client/command.ts';
import {
  answers,
  resets,
  type ScriptedServer,
  stalls,
  startScriptedServer,
} from '#test/client/scripted-server.ts';
import { wholeService } from '#test/client/whole-service.ts';
import { JOB_ID, problemAnswer } from '#test/client/wire-answers.ts';

let server: ScriptedServer;
let command: CommandLine;
let env: Record<string, string>;
let full: number;
let unwritable: number;
beforeAll(async () => {
  command = await commandLine('', 'token');
});
afterAll(() => command.remove());
beforeEach(async () => {
  server = await startScriptedServer();
  env = { EXPORT_ONCE_URL: server.url };
  full = openSync('/dev/full', 'w');
  unwritable = openSync('/dev/null', 'r');
});
afterEach(async () => {
  closeSync(full);
  closeSync(unwritable);
  await server.close();
});

const CREATE = ['create', 'a-1', '--timeout', '20'];
const intentsHere = () => command.intents().filter(({ url }) => url === server.url);
const refuses = answers(problemAnswer('validation-failed', 400));
const STACK = /^ {4}at /m;

describe('a result that cannot be written', () => {
  it.each([
    ['ENOSPC', () => full],
    ['EBADF', () => unwritable],
    ['EPIPE', () => 'gone' as const],
  ])('is 10 when the job was made: %s', async (_, stdout) => {
    const { code, stderr } = await command.run(CREATE, env, { stdout: stdout() });

    expect([code, server.committed.size]).toEqual([10, 1]);
    expect(stderr).toContain(JOB_ID);
    expect(stderr).not.toMatch(STACK);
    expect(intentsHere()).toMatchObject([{ state: 'executed', jobId: JOB_ID }]);
  });

  it.each([
    ['unknown', resets, 5, 'open'],
    ['refused', refuses, 3, 'not-executed'],
  ])('changes nothing of %s, with --json too', async (_, step, code, state) => {
    for (const stdout of [full, 'gone'] as const) {
      server.script(...Array.from({ length: 5 }, () => step));
      const ended = await command.run(['--json', ...CREATE], env, { stdout });

      expect(ended.code).toBe(code);
      expect(ended.stderr).not.toMatch(STACK);
    }
    expect(intentsHere().map((intent) => intent.state)).toEqual([state, state]);
  });

  it('is 10 after an abandonment, and the journal knows of it', async () => {
    server.script(stalls);
    await command.run([...CREATE, '--key', 'k-1', '--timeout', '1'], env);
    server.scriptOthers(wholeService);

    const { code } = await command.run(['operations', 'abandon', 'k-1'], env, { stdout: full });

    expect(code).toBe(10);
    expect(intentsHere()).toMatchObject([{ state: 'not-executed' }]);
  });

  it('is 10 of help and of a completion', async () => {
    const help = await command.run(['--help'], env, { stdout: full });
    const completion = await command.run(['completion', 'bash'], env, { stdout: full });

    expect([help.code, completion.code]).toEqual([10, 10]);
  });
});

describe('standard error that cannot be written', () => {
  it.each([
    ['ENOSPC', () => full],
    ['EBADF', () => unwritable],
    ['EPIPE', () => 'gone' as const],
  ])('is no reason to stop: %s', async (_, stderr) => {
    const { code, stdout } = await command.run(CREATE, env, { stderr: stderr() });

    expect([code, stdout]).toEqual([0, `${JOB_ID}\n`]);
    expect(intentsHere()).toMatchObject([{ state: 'executed' }]);
  });

  it('leaves nothing to resume of a mistake in the command line', async () => {
    const { code } = await command.run(['create', 'a-1', '--format', 'pdf'], env, {
      stderr: full,
    });

    expect([code, intentsHere().length, server.creates.length]).toEqual([1, 0, 0]);
  });
});

describe('a limit on the size of files', () => {
  const limited = (blocks: number) => ['bash', '-c', `ulimit -f ${blocks}; exec "$@"`, '--'];

  it('that no intent fits in sends nothing, and leaves nothing to resume', async () => {
    const { code, stderr } = await command.run(CREATE, env, { under: limited(0) });

    expect([code, server.creates.length, intentsHere().length]).toEqual([9, 0, 0]);
    expect(stderr).toContain('cannot be kept');
  });

  /** A title that makes the file of an open intent as large as the limit of one block allows. */
  async function filledTitle(): Promise<string> {
    const state = join(command.folder, 'measured');
    await command.run([...CREATE, '--title', 'x'], { ...env, EXPORT_ONCE_STATE_DIR: state });
    const [name = ''] = readdirSync(join(state, 'intents'));
    const intent = JSON.parse(readFileSync(join(state, 'intents', name), 'utf8'));
    const open = { ...intent, state: 'open', settledAt: undefined, jobId: undefined };
    return 'x'.repeat(1024 - `${JSON.stringify(open, null, 2)}\n`.length);
  }

  it('that a refusal does not fit in closes the intent all the same', async () => {
    const title = await filledTitle();
    server.script(refuses);

    const { code } = await command.run([...CREATE, '--title', title], env, { under: limited(1) });

    expect(code).toBe(3);
    expect(server.creates).toHaveLength(2);
    expect(intentsHere()).toEqual([]);
  });

  it('that an execution does not fit in leaves it to resume, which gets the same job', async () => {
    const title = await filledTitle();

    const { code, stdout } = await command.run([...CREATE, '--title', title], env, {
      under: limited(1),
    });
    const resumed = await command.run(['resume'], env);

    expect([code, stdout]).toEqual([0, `${JOB_ID}\n`]);
    expect([resumed.code, intentsHere()[0]?.jobId]).toEqual([0, JOB_ID]);
    expect(server.committed.size).toBe(2);
  });

  it('that stdout has reached is 10', async () => {
    const file = join(command.folder, 'reached.txt');
    writeFileSync(file, 'x'.repeat(1024));
    const stdout = openSync(file, 'a');

    const { code } = await command.run(CREATE, env, { stdout, under: limited(1) });

    closeSync(stdout);
    expect([code, statSync(file).size, server.committed.size]).toEqual([10, 1024, 1]);
  });
});

describe('a fault of the command', () => {
  /** Strikes when a request is under way: the intent has been kept by then. */
  const soon = (what: string) => {
    const script = `const real = fetch;
      globalThis.fetch = (...sent) => { setTimeout(() => { ${what} }, 20); return real(...sent); };`;
    return `--import data:text/javascript,${encodeURIComponent(script)}`;
  };

  it.each([
    ['an error that nobody catches', 'throw new Error("boom")'],
    ['a promise that nobody awaits', 'Promise.reject(new Error("boom"))'],
    ['a value that is no error', 'throw null'],
  ])('has a code of its own, and leaves the intent open: %s', async (_, what) => {
    server.script(stalls);

    const { code, stderr } = await command.run(CREATE, { ...env, NODE_OPTIONS: soon(what) });

    expect(code).toBe(70);
    expect(stderr).toContain('export-once resume');
    expect(intentsHere()).toMatchObject([{ state: 'open' }]);
  });

  it('has it, too, when nothing can be told', async () => {
    server.script(stalls);
    const faulty = { ...env, NODE_OPTIONS: soon('throw new Error("boom")') };

    const { code } = await command.run(CREATE, faulty, { stdout: full, stderr: full });

    expect(code).toBe(70);
  });

  it('is an end that nothing decided', async () => {
    server.script(stalls);

    const { code } = await command.run(CREATE, { ...env, NODE_OPTIONS: soon('process.exit(0)') });

    expect(code).toBe(70);
  });
});

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'that comes while a create is under way ends it as unknown: %s',
    async (name) => {
      const arrived = Promise.withResolvers<void>();
      server.script(() => arrived.resolve());
      const { process: child, ended } = command.start(CREATE, env);
      await arrived.promise;

      child.kill(name);

      expect(await ended).toMatchObject({ code: 5, signal: null });
      expect(intentsHere()).toMatchObject([{ state: 'open' }]);
    },
  );

  it('that comes before anything could be sent leaves nothing to resume', async () => {
    await server.down();
    const { process: child, ended } = command.start([...CREATE, '--timeout', '60'], env);
    child.stderr?.on('data', (text) => {
      if (`${text}`.includes('again in')) child.kill('SIGINT');
    });

    expect((await ended).code).toBe(3);
    expect(intentsHere()).toMatchObject([{ state: 'not-executed' }]);
  });
});
