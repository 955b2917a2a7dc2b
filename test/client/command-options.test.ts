// What people expect of the command: the ID alone, files and streams, tokens from elsewhere, attempts told,
// completion.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMATS, STATUSES } from '#client/cli/formats.ts';
import manifest from '#client/package/command/package.json' with { type: 'json' };
import { EXPORT_FORMATS, JOB_STATUSES } from '#contract/export-job.ts';
import { command, env, folder, run, serve, server } from '#test/client/command-bench.ts';
import { answers, resets, type Step, stalls } from '#test/client/scripted-server.ts';
import { FILE, JOB } from '#test/client/whole-service.ts';
import { JOB_ID, problemAnswer } from '#test/client/wire-answers.ts';

const running: Step = ({ answer }) =>
  answer({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...JOB, status: 'running', progress: { done: 0, total: 1 } }),
  });
const failedJob: Step = ({ answer }) =>
  answer({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...JOB, status: 'failed', file: undefined }),
  });

describe('wait', () => {
  it('for a service that is not there ends with 8 and the reason, and shows the polls', async () => {
    await server.down();

    const { code, stderr } = await run('wait', JOB_ID, '--timeout', '1.5');

    expect(code).toBe(8);
    expect(stderr).toMatch(/No answer about the job \(ECONNREFUSED\); it is asked for again/);
    expect(stderr).toMatch(/No answer about the job came before the deadline \(ECONNREFUSED\)/);
  });

  it('for a service that never answers ends with 8', async () => {
    serve(stalls, stalls, stalls);

    expect((await run('wait', JOB_ID, '--timeout', '0.5')).code).toBe(8);
  });

  it('for a job that was seen ends with 7, and says what came last', async () => {
    serve(running, ...Array.from({ length: 20 }, () => resets));

    const { code, stderr } = await run('wait', JOB_ID, '--timeout', '4');

    expect(code).toBe(7);
    expect(stderr).toContain('The last answers were missing');
  });
});

describe('create', () => {
  it('prints the ID of the job alone, also under a shell', async () => {
    const { stdout, stderr } = await run('create', 'a-1');

    expect(stdout).toBe(`${JOB_ID}\n`);
    expect(stderr).toContain(`Created job ${JOB_ID}`);
  });

  it('--wait and --download follow up, and the ID stays alone', async () => {
    const file = join(folder, 'file.txt');

    const waited = await run('create', 'a-1', '--wait');
    const saved = await run('create', 'a-1', '--download', '-o', file);

    expect([waited.code, waited.stdout]).toEqual([0, `${JOB_ID}\n`]);
    expect([saved.code, saved.stdout, readFileSync(file, 'utf8')]).toEqual([
      0,
      `${JOB_ID}\n`,
      FILE,
    ]);
  });

  it('--json prints one line for the job that was created and one for what followed', async () => {
    const { stdout } = await run('--json', 'create', 'a-1', '--wait');

    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { outcome: 'executed', jobId: JOB_ID },
      { id: JOB_ID, status: 'succeeded' },
    ]);
  });

  it.each([
    ['the job fails', [failedJob], ['--wait'], 6],
    ['it is not in time', Array(20).fill(running), ['--wait', '--wait-timeout', '3'], 7],
    ['the service forgets it', [answers(problemAnswer('job-not-found', 404))], ['--wait'], 11],
    ['the file cannot be saved', [], ['--download', '-o', '/proc/nope/file'], 11],
  ])(
    'that is followed by a failure says that the job is there: %s',
    async (_, steps, more, code) => {
      serve(...steps);

      const ended = await run('create', 'a-1', ...more);

      expect([ended.code, ended.stdout]).toEqual([code, `${JOB_ID}\n`]);
    },
  );

  it('sends nothing when what is to be saved is there already', async () => {
    const file = join(folder, 'mine.txt');
    writeFileSync(file, 'mine');

    const { code } = await run('create', 'a-1', '--download', '-o', file);

    expect([code, server.creates.length]).toEqual([9, 0]);
  });
});

describe('a token', () => {
  const authorization = () => server.creates.at(-1)?.headers.authorization;

  it('comes from a file, without the line end', async () => {
    const file = join(folder, 'token');
    writeFileSync(file, 'from-file\n');

    const { code } = await run('--token-file', file, 'create', 'a-1');

    expect([code, authorization()]).toEqual([0, 'Bearer from-file']);
  });

  it('comes from a command', async () => {
    const { code } = await run('create', 'a-1', '--token-command', 'printf from-command');

    expect([code, authorization()]).toEqual([0, 'Bearer from-command']);
  });

  it.each([
    ['a file that is not there', ['--token-file', '/nope'], 9],
    ['an empty file', ['--token-file', '/dev/null'], 1],
    ['a command that fails', ['--token-command', 'echo secret >&2; exit 3'], 9],
    ['two sources', ['--token-file', '/nope', '--token-command', 'true'], 1],
  ])('that cannot be had sends nothing: %s', async (_, flags, code) => {
    const ended = await run('create', 'a-1', ...flags);

    expect([ended.code, server.creates.length]).toEqual([code, 0]);
    expect(ended.stderr).not.toContain('secret');
  });

  it.each(['tok\u2019en', 'tok\nen'])(
    'that no header can carry sends nothing: %j',
    async (token) => {
      const { code, stderr } = await command.run(['create', 'a-1'], {
        ...env,
        EXPORT_ONCE_TOKEN: token,
      });

      expect([code, server.creates.length]).toEqual([1, 0]);
      expect(stderr).toMatch(/EXPORT_ONCE_TOKEN holds U\+(2019|000A) at character 4/);
      expect(command.intents().filter(({ url }) => url === server.url)).toEqual([]);
    },
  );

  it("that becomes another caller's under way is not sent, and what was sent stays unknown", async () => {
    const jwt = (sub: string) =>
      `e30.${Buffer.from(JSON.stringify({ iss: 'i', sub })).toString('base64url')}.s`;
    const file = join(folder, 'token');
    writeFileSync(file, jwt('alice'));
    server.script((exchange) => {
      writeFileSync(file, jwt('bob'));
      exchange.reset();
    });

    const { code, stderr } = await run('--token-file', file, 'create', 'a-1');

    expect([code, server.creates.length]).toEqual([5, 1]);
    expect(stderr).toContain("another caller's");
  });
});

describe('what is told of the way', () => {
  it('--verbose tells each request, and nothing secret', async () => {
    server.script(resets);

    const { stderr } = await run('--verbose', 'create', 'a-1', '--wait');

    expect(stderr).toMatch(/POST \/v1\/export-jobs {2}\w+.* ms {2}\w+-1\n/);
    expect(stderr).toMatch(/POST \/v1\/export-jobs {2}202 {2}\d+ ms {2}\w+-2\n/);
    expect(stderr).toContain(`GET /v1/export-jobs/${JOB_ID}  200`);
    expect(stderr).not.toContain('token');
  });

  it('each request names the command and its version', async () => {
    await run('create', 'a-1');

    expect(server.creates[0]?.headers['user-agent']).toMatch(
      new RegExp(`^export-once/${manifest.version} node/\\d+`),
    );
  });

  it('--json tells mistakes in the command line, too', async () => {
    const { code, stdout, stderr } = await run('--json', 'create');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: 'usage', exitCode: 1 });
    expect(stderr).toBe('');
  });

  it('--version is that of the package', async () => {
    const { code, stdout } = await run('--version');

    expect([code, stdout]).toEqual([0, `${manifest.version}\n`]);
  });

  it('TERM=dumb on a terminal gets no escape', async () => {
    serve(running);
    const line = `'${process.execPath}' '${command.program}' wait ${JOB_ID}`;
    const under = ['bash', '-c', `exec script -qec "${line}" /dev/null`];
    const on = (TERM: string) => command.run([], { ...env, TERM }, { under });
    const dumb = await on('dumb');
    serve(running);
    const clever = await on('xterm');

    expect([dumb.code, dumb.stdout.includes('\u001b')]).toEqual([0, false]);
    expect(clever.stdout).toContain('\u001b');
  });
});

describe('formats and states', () => {
  it('are those of the contract', () => {
    expect([FORMATS, STATUSES]).toEqual([[...EXPORT_FORMATS], [...JOB_STATUSES]]);
  });
});
