// The command as a process, against a server that scripts each request: exit codes, the journal, what is
// printed for people and for programs.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT_MEANINGS } from '#client/cli/exit-codes.ts';
import { type CommandLine, commandLine } from '#test/client/command.ts';
import {
  answers,
  keyOf,
  type ScriptedServer,
  stalls,
  startScriptedServer,
  works,
} from '#test/client/scripted-server.ts';
import { JOB_ID, problemAnswer } from '#test/client/wire-answers.ts';

const jwt = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.secret-signature`;
const ALICE = jwt({ iss: 'i', sub: 'alice' });

let server: ScriptedServer;
let command: CommandLine;
beforeAll(async () => {
  command = await commandLine('', ALICE);
});
afterAll(() => command.remove());
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

/** Each test has an address, and so a scope in the journal, of its own. */
const run = (args: readonly string[], env = {}) =>
  command.run(args, { EXPORT_ONCE_URL: server.url, ...env });
const intentsHere = () => command.intents().filter(({ url }) => url === server.url);
const CREATE = ['create', 'a-1', 'a-2', '--format', 'epub'];
const unavailable = answers(problemAnswer('store-unavailable', 503, {}, { 'retry-after': '60' }));

describe('create', () => {
  it('has the intent on disk before anything is sent, without the token', async () => {
    let onDisk: unknown[] = [];
    server.script((exchange) => {
      onDisk = intentsHere();
      works(exchange);
    });

    const { code, stdout } = await run(CREATE);

    expect(code).toBe(0);
    expect(onDisk).toMatchObject([
      {
        key: keyOf(server.creates[0] as never),
        state: 'open',
        params: { articleIds: ['a-1', 'a-2'] },
      },
    ]);
    expect(JSON.stringify(onDisk)).not.toContain('secret-signature');
    expect(stdout).toContain(JOB_ID);
    expect(intentsHere()).toMatchObject([{ state: 'executed', jobId: JOB_ID }]);
  });

  it('sends nothing when the intent cannot be kept', async () => {
    const { code, stderr } = await run(CREATE, { EXPORT_ONCE_STATE_DIR: '/dev/null' });

    expect([code, server.creates.length]).toEqual([9, 0]);
    expect(stderr).toContain('cannot be kept');
  });

  it.each([
    ['not executed', answers(problemAnswer('validation-failed', 400)), 3, 'not-executed'],
    ['not executed, in a pause', unavailable, 3, 'not-executed'],
    [
      'executed otherwise',
      answers(problemAnswer('idempotency-key-reused', 422, { job: { id: JOB_ID, href: '/x' } })),
      4,
      'executed',
    ],
    ['unknown', stalls, 5, 'open'],
  ])('ends with its outcome: %s', async (_, step, code, state) => {
    server.script(step);

    const ended = await run([...CREATE, '--timeout', '1']);

    expect(ended.code).toBe(code);
    expect(intentsHere().map((intent) => intent.state)).toEqual([state]);
    expect(ended.stderr.includes('export-once resume')).toBe(code === 5);
  });

  it('prints one line of JSON for programs', async () => {
    const good = await run(['--json', ...CREATE]);
    server.script(answers(problemAnswer('validation-failed', 400, { errors: [] })));
    const bad = await run(['--json', ...CREATE]);

    expect(JSON.parse(good.stdout)).toMatchObject({ outcome: 'executed', jobId: JOB_ID });
    expect(JSON.parse(bad.stdout)).toMatchObject({
      error: 'validation-failed',
      outcome: 'not-executed',
      exitCode: 3,
    });
    expect([good.stderr, bad.stderr]).toEqual(['', '']);
  });

  it('says on Ctrl-C what is known and how to go on', async () => {
    const arrived = Promise.withResolvers<void>();
    server.script(() => arrived.resolve());
    const { process: child, ended } = command.start(CREATE, { EXPORT_ONCE_URL: server.url });
    await arrived.promise;

    child.kill('SIGINT');
    const { code, stderr } = await ended;

    expect(code).toBe(5);
    expect(stderr).toContain(`under the key ${intentsHere()[0]?.key}`);
    expect(stderr).toContain('export-once resume');
  });

  it('refuses a key that is kept with other parameters, and sends nothing', async () => {
    await run([...CREATE, '--key', 'order-1']);
    const sent = server.creates.length;

    const { code } = await run(['create', 'a-9', '--key', 'order-1']);

    expect([code, server.creates.length]).toEqual([1, sent]);
  });
});

describe('resume', () => {
  const leaveOpen = async () => {
    server.script(stalls);
    await run([...CREATE, '--timeout', '0.3']);
    const [intent] = intentsHere().filter(({ state }) => state === 'open');
    server.script();
    return intent?.key ?? '';
  };

  it('sends an open intent again under its own key', async () => {
    const key = await leaveOpen();

    const { code, stdout } = await run(['--json', 'resume']);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      settled: [{ key, outcome: 'executed', jobId: JOB_ID }],
      open: 0,
    });
    expect(new Set(server.creates.map(keyOf))).toEqual(new Set([key]));
    expect(new Set(server.creates.map(({ body }) => body)).size).toBe(1);
  });

  it('makes sure of an intent that the service refuses for good', async () => {
    const key = await leaveOpen();
    server.script(answers(problemAnswer('source-batch-taken', 409)));
    const abandoned = { key, state: 'abandoned', expired: false, executed: 'no' };
    const times = { committedAt: 'x', expiresAt: 'x' };
    const headers = { 'content-type': 'application/json' };
    const look = answers(problemAnswer('operation-not-found', 404, { definitive: false }));
    server.scriptOthers(
      look,
      answers({ status: 200, headers, body: JSON.stringify({ ...abandoned, ...times }) }),
    );

    const { code, stdout } = await run(['--json', 'resume']);

    expect(JSON.parse(stdout).settled).toEqual([
      { key, outcome: 'not-executed', why: 'source-batch-taken' },
    ]);
    expect([code, intentsHere()[0]?.state]).toEqual([0, 'not-executed']);
  });

  it('leaves an intent open that cannot be settled now', async () => {
    const key = await leaveOpen();
    server.script(unavailable);

    const { code, stderr } = await run(['resume']);

    expect(code).toBe(5);
    expect(stderr).toContain(`${key}  still open`);
    expect(intentsHere()[0]?.state).toBe('open');
  });

  it("leaves another caller's intents alone", async () => {
    await leaveOpen();
    const sent = server.creates.length;

    const bob = await run(['--json', 'resume'], {
      EXPORT_ONCE_TOKEN: jwt({ iss: 'i', sub: 'bob' }),
    });

    expect(JSON.parse(bob.stdout)).toMatchObject({ settled: [], open: 0 });
    expect(JSON.parse(bob.stdout).elsewhere).toBeGreaterThan(0);
    expect(server.creates.length).toBe(sent);
  });

  it('names a file of the journal that cannot be read, and settles the others', async () => {
    const state = `${command.folder}/damaged-state`;
    const env = { EXPORT_ONCE_STATE_DIR: state };
    server.script(stalls);
    await run([...CREATE, '--timeout', '0.3'], env);
    server.script();
    writeFileSync(`${state}/intents/broken.intent.json`, '{');

    const { code, stdout, stderr } = await run(['resume'], env);

    expect(code).toBe(9);
    expect(stdout).toContain('1 settled, 0 open');
    expect(stderr).toContain('broken.intent.json');
  });
});

describe('operations', () => {
  it('show tells an intent that was executed from one of which nothing is recorded', async () => {
    await run([...CREATE, '--key', 'shown']);

    const committed = await run(['operations', 'show', 'shown']);
    const nothing = await run(['operations', 'show', 'never']);

    expect([committed.code, committed.stdout]).toEqual([0, `Executed: job ${JOB_ID}\n`]);
    expect([nothing.code, nothing.stdout.includes('proves nothing')]).toEqual([5, true]);
  });
});

describe('a file of a journal', () => {
  it('is for its owner alone', async () => {
    await run(CREATE);
    const [name = ''] = readdirSync(command.journalFolder);

    expect(statSync(command.journalFolder).mode & 0o777).toBe(0o700);
    expect(statSync(`${command.journalFolder}/${name}`).mode & 0o777).toBe(0o600);
  });
});

describe('the command line', () => {
  it.each([
    [['create']],
    [['create', 'a', '--format', 'pdf']],
    [['wait', JOB_ID, '--timeout', '0']],
    [['list', '--max', '-1']],
    [['nonsense']],
    [['status', 'a/b']],
  ])('%j is a mistake: 1, and nothing is sent', async (args) => {
    const { code } = await run(args);

    expect([code, server.creates.length + server.others.length]).toEqual([1, 0]);
  });

  it.each(['EXPORT_ONCE_URL', 'EXPORT_ONCE_TOKEN'])('without %s says so', async (name) => {
    const { code, stderr } = await run(CREATE, { [name]: '' });

    expect(code).toBe(1);
    expect(stderr).toContain(`${name} is not set`);
  });

  it('a read that is refused is 8, whatever the outcome of an intent may be', async () => {
    server.scriptOthers(answers(problemAnswer('job-not-found', 404)));

    expect((await run(['status', JOB_ID])).code).toBe(8);
  });

  it('exit codes stand in the README as they are', () => {
    const readme = readFileSync(
      new URL('../../client/package/command/README.md', import.meta.url),
      'utf8',
    );
    const rows = [...readme.matchAll(/^\| (\d+) +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ]);

    expect(rows).toEqual(Object.entries(EXIT_MEANINGS));
  });

  it.each([['create'], ['resume'], ['wait'], ['list'], ['download'], ['articles', 'put']])(
    '%s --help has examples',
    async (...args) => {
      const { code, stdout } = await run([...args, '--help']);

      expect(code).toBe(0);
      expect(stdout).toMatch(/Examples:\n {2}\$ export-once /);
    },
  );
});
