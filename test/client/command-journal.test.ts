// What the command knows of an intent: by its key as the service writes it, growing only, and unharmed by
// files beside it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Intent } from '#client/cli/intent.ts';
import { openJournal } from '#client/cli/journal.ts';
import { type CommandLine, commandLine } from '#test/client/command.ts';
import {
  answers,
  type ScriptedServer,
  stalls,
  startScriptedServer,
} from '#test/client/scripted-server.ts';
import { JOB_ID, problemAnswer } from '#test/client/wire-answers.ts';

const KEY = '0190F5FE-1B7C-7000-8000-ABCDEFABCDEF';
const CREATE = ['create', 'a-1', '--timeout', '20'];
const unavailable = answers(problemAnswer('store-unavailable', 503, {}, { 'retry-after': '60' }));
const refuses = answers(problemAnswer('validation-failed', 400));

let server: ScriptedServer;
let command: CommandLine;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  command = await commandLine('', 'token');
});
afterAll(() => command.remove());
beforeEach(async () => {
  server = await startScriptedServer();
  folder = mkdtempSync(join(tmpdir(), 'export-once-known-'));
  env = { EXPORT_ONCE_URL: server.url, EXPORT_ONCE_STATE_DIR: folder };
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => command.run(args, env);
const journalHere = () => openJournal(join(folder, 'intents'));
const known = (key: string) => journalHere().find(key, { url: server.url });
const leaveOpen = async (...more: string[]) => {
  server.script(stalls);
  await run('create', 'a-1', '--timeout', '1', ...more);
  server.script();
};

describe('a UUIDv7 in upper case', () => {
  it('is the key in lower case: what was executed stays executed', async () => {
    await run(...CREATE, '--key', KEY.toLowerCase());
    server.script(unavailable);

    const { code, stderr } = await run(...CREATE, '--key', KEY);

    expect(code).toBe(4);
    expect(stderr).toContain(`The job is ${JOB_ID}`);
    expect(known(KEY.toLowerCase())).toMatchObject({ state: 'executed', jobId: JOB_ID });
    expect(command.intents()).toEqual([]);
  });

  it('is found by abandon', async () => {
    await leaveOpen('--key', KEY.toLowerCase());
    const job = { id: JOB_ID, href: '/x' };
    server.scriptOthers(answers(problemAnswer('operation-committed', 409, { job })));

    const { code } = await run('operations', 'abandon', KEY);

    expect(code).toBe(4);
    expect(known(KEY.toLowerCase())).toMatchObject({ state: 'executed', jobId: JOB_ID });
  });
});

describe('a key that was refused', () => {
  it('takes a corrected request', async () => {
    server.script(refuses);
    const refused = await run(...CREATE, '--key', 'k', '--title', '');
    const corrected = await run(...CREATE, '--key', 'k', '--title', 'Good');

    expect([refused.code, corrected.code]).toEqual([3, 0]);
    expect(known('k')).toMatchObject({ state: 'executed', params: { title: 'Good' } });
  });

  it('takes no other request while it is open, and none once it was executed', async () => {
    await leaveOpen('--key', 'k');
    const open = await run(...CREATE, '--key', 'k', '--title', 'Other');
    await run('resume');
    const executed = await run(...CREATE, '--key', 'k', '--title', 'Other');

    expect([open.code, executed.code]).toEqual([1, 1]);
    expect(open.stderr).toContain('export-once resume');
  });

  it('is not sent by a later resume', async () => {
    server.script(refuses);
    await run(...CREATE, '--key', 'k', '--title', '');
    const sent = server.creates.length;

    const { code } = await run('resume');

    expect([code, server.creates.length]).toEqual([0, sent]);
  });
});

describe("a key of the caller's own", () => {
  it('that was refused from here may have been sent from elsewhere since', async () => {
    server.script(refuses, unavailable);
    const refused = await run(...CREATE, '--key', 'k', '--title', '');
    const later = await run(...CREATE, '--key', 'k');

    expect([refused.code, later.code]).toEqual([3, 5]);
    expect(known('k')?.state).toBe('open');
  });

  it.each([
    ['route-not-found', 404],
    ['body-too-large', 413],
    ['unsupported-media-type', 415],
    ['invalid-json', 400],
    ['method-not-allowed', 405],
  ] as const)('is unknown after %s, which looks at no record', async (code, status) => {
    server.script(answers(problemAnswer(code, status)));
    server.scriptOthers(answers(problemAnswer('operation-not-found', 404)));

    const refused = await run(...CREATE, '--key', 'k');

    expect([refused.code, known('k')?.state]).toEqual([5, 'open']);
  });
});

describe("a key of the caller's own that the journal does not know", () => {
  it('may have been sent from elsewhere: without an answer it is unknown', async () => {
    server.script(unavailable, unavailable);
    const unknown = await run(...CREATE, '--key', 'k-1');
    const fresh = await run(...CREATE, '--key', 'k-2', '--fresh');

    expect([unknown.code, fresh.code]).toEqual([5, 3]);
    expect([known('k-1')?.state, known('k-2')?.state]).toEqual(['open', 'not-executed']);
  });
});

describe('a file in the state folder', () => {
  const kinds: [string, (file: string) => void][] = [
    ['that is no JSON', (file) => writeFileSync(file, '{')],
    ['that is a folder', (file) => mkdirSync(file)],
    ['that is a pipe', (file) => void execFileSync('mkfifo', [file])],
    ['that is a link to nothing but itself', (file) => symlinkSync(file, file)],
    ['that is too large', (file) => writeFileSync(file, ' '.repeat(2_000_000))],
    [
      'with a key that cannot be sent',
      (file) => writeFileSync(file, JSON.stringify({ ...intent('a b') })),
    ],
    [
      'without articles',
      (file) => writeFileSync(file, JSON.stringify({ ...intent('k'), params: {} })),
    ],
    [
      'that is a copy under another name',
      (file) => writeFileSync(file, JSON.stringify(intent('k'))),
    ],
  ];
  const intent = (key: string): Intent => ({
    version: 1,
    key,
    url: server.url,
    params: { articleIds: ['a'], format: 'text' },
    createdAt: '2026-01-01T00:00:00.000Z',
    state: 'open',
  });

  it.each(kinds)('%s stops nothing else', async (_, make) => {
    await leaveOpen('--key', 'good');
    make(join(folder, 'intents', 'bad.intent.json'));

    const created = await run(...CREATE);
    const resumed = await run('--json', 'resume');

    expect([created.code, resumed.code]).toEqual([0, 9]);
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      settled: [{ key: 'good', outcome: 'executed' }],
      open: 0,
      damaged: [join(folder, 'intents', 'bad.intent.json')],
    });
  });

  it('that cannot be read does not undo that an intent was abandoned', async () => {
    await leaveOpen('--key', 'k');
    writeFileSync(journalHere().fileOf('k', { url: server.url }), '{');
    const abandoned = { key: 'k', state: 'abandoned', expired: false, executed: 'no' };
    const times = { committedAt: 'x', expiresAt: 'x' };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ ...abandoned, ...times });
    server.scriptOthers(answers({ status: 200, headers, body }));

    expect((await run('operations', 'abandon', 'k')).code).toBe(0);
  });
});

describe('a state folder that cannot be made', () => {
  it.each(['/proc/nope', '/proc/nope/deeper', '/dev/null/x', '/dev/null'])(
    'ends at once, and nothing is sent: %s',
    async (state) => {
      const { code, stderr } = await command.run(CREATE, { ...env, EXPORT_ONCE_STATE_DIR: state });

      expect([code, server.creates.length]).toEqual([9, 0]);
      expect(stderr).toContain('cannot be kept');
    },
  );
});

describe('an intent that is open with the same parameters', () => {
  it('is told of before another one is sent', async () => {
    await leaveOpen('--key', 'k');

    const { code, stderr } = await run(...CREATE);
    const json = await run('--json', ...CREATE);

    expect(code).toBe(0);
    expect(stderr).toMatch(/same parameters is open since .* under the key k: .*resume/);
    expect(JSON.parse(json.stdout).openIntents).toEqual(['k']);
    expect((await run('create', 'a-2')).stderr).not.toContain('same parameters');
  });

  it('is told by its title when it is resumed', async () => {
    await leaveOpen('--key', 'k', '--title', 'Two \u001b[31marticles');

    const { stderr } = await run('resume');

    expect(stderr).toContain(`k  executed: job ${JOB_ID}  ("Two  [31marticles")`);
  });
});
