// The client against the real service with faults between it and its store: what is said of an intent is
// what stands in the tables, and a file arrives whole.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientIn, createClient, type ExportOnceClient } from '#client/client.ts';
import { isNoAnswerError, isProblemError } from '#client/errors.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import { type CommandLine, commandLine } from '#test/client/command.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { jobsOf } from '#test/support/table-contents.ts';
import { applied, beforeForward, blackhole, dropReply, reset } from '#test/support/wire-actions.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

const PARAMS = { articleIds: ['a-1'], format: 'text' as const };
const FIRST_WRITE = { target: 'TransactWriteItems', nth: 1 };

let database: Database;
let proxy: WireProxy;
let stack: RunningStack;
let client: ExportOnceClient;

beforeAll(async () => {
  database = await freshDatabase();
  proxy = await startWireProxy(database.connection.endpoint);
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...env } = database.environment();
  stack = await startStack({ env: { ...env, DYNAMODB_ENDPOINT: proxy.endpoint } });
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.close();
});
beforeEach(async () => {
  proxy.clear();
  const token = await stack.token('alice');
  client = createClient({ url: stack.url, token, retryBudget: retryBudget() });
});

const jobIdsOf = async (key: string) =>
  (await jobsOf(database))
    .filter(({ idempotencyKey }) => idempotencyKey === key)
    .map(({ jobId }) => jobId);
const killFunctions = () => process.kill(stack.pids().http ?? Number.NaN, 'SIGKILL');

describe('a create', () => {
  it('makes one job, and the same call again is given the same one', async () => {
    const first = await client.createExportJob(PARAMS);
    const again = await client.createExportJob(PARAMS, { idempotencyKey: first.idempotencyKey });

    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again).toMatchObject({ jobId: first.jobId, createdAt: first.createdAt });
    expect(await jobIdsOf(first.idempotencyKey)).toEqual([first.jobId]);
  });

  it.each([
    ['before the commit', beforeForward(killFunctions, blackhole()), false],
    ['after the commit', applied(killFunctions), true],
  ])('whose service dies %s is sent again, and there is one job', async (_, fault, replayed) => {
    const rule = proxy.rule(FIRST_WRITE, fault);

    const created = await client.createExportJob(PARAMS);

    expect(rule.fired).toBe(1);
    expect(created.attempts[0]).toMatchObject({ status: 500, failure: 'not-the-service' });
    expect(created.replayed).toBe(replayed);
    expect(await jobIdsOf(created.idempotencyKey)).toEqual([created.jobId]);
  });

  it.each([
    ['applied', dropReply()],
    ['not applied', reset()],
  ])('whose write got no answer (%s) is settled within one attempt', async (_, fault) => {
    const rule = proxy.rule(FIRST_WRITE, fault);

    const created = await client.createExportJob(PARAMS);

    expect(rule.fired).toBe(1);
    expect(created.attempts).toHaveLength(1);
    expect(await jobIdsOf(created.idempotencyKey)).toEqual([created.jobId]);
  });

  it('whose writes all are lost is unknown, and can be sent again', async () => {
    const rule = proxy.rule({ target: 'TransactWriteItems' }, reset());
    const idempotencyKey = uuidv7();
    // The first writes are unknown to the service itself: it says so, and so does the client.
    const lost = await client
      .createExportJob(PARAMS, { idempotencyKey, timeoutMs: 3_000 })
      .catch((error) => error);
    rule.remove();

    expect(isNoAnswerError(lost) && lost.outcome).toBe('unknown');
    const created = await client.createExportJob(PARAMS, { idempotencyKey, resumed: true });

    expect(await jobIdsOf(idempotencyKey)).toEqual([created.jobId]);
  });

  it('that is refused is not executed; corrected, the same key is taken', async () => {
    const idempotencyKey = uuidv7();
    const wrong = { ...PARAMS, articleIds: ['a-1', 'a-1'] };

    const refused = await client
      .createExportJob(wrong, { idempotencyKey, resumed: false })
      .catch((error) => error);
    const created = await client.createExportJob(PARAMS, { idempotencyKey });

    expect(isProblemError(refused) && refused.problem.errors).toHaveLength(1);
    expect(refused.outcome).toBe('not-executed');
    expect(await jobIdsOf(idempotencyKey)).toEqual([created.jobId]);
  });

  it('by a clock half a minute behind makes one job, at the cost of one attempt', async () => {
    const behind = clientIn(
      { ...realWorld, wallMs: () => Date.now() - 31_000 },
      { url: stack.url, token: await stack.token('alice'), retryBudget: retryBudget() },
    );

    const first = await behind.createExportJob(PARAMS);
    const next = await behind.createExportJob(PARAMS);

    expect(first.attempts.map(({ code }) => code)).toEqual(['deadline-passed', undefined]);
    expect(next.attempts).toHaveLength(1);
    expect(await jobIdsOf(first.idempotencyKey)).toEqual([first.jobId]);
  });

  it('by a token that has expired is told so, and not executed', async () => {
    const [header, payload, signature] = (await stack.token('alice')).split('.');
    const claims = JSON.parse(Buffer.from(`${payload}`, 'base64url').toString());
    const ended = Buffer.from(JSON.stringify({ ...claims, exp: 1 })).toString('base64url');
    const token = [header, ended, signature].join('.');
    const stale = createClient({ url: stack.url, token, retryBudget: retryBudget() });

    const error = await stale.createExportJob(PARAMS).catch((thrown) => thrown);

    expect(error).toMatchObject({ outcome: 'not-executed', attempts: [{ status: 401 }] });
    expect(error.message).toContain('The token has expired');
    expect(await jobIdsOf(error.idempotencyKey)).toEqual([]);
  });

  it('under a key of other parameters is executed already, and names the job', async () => {
    const first = await client.createExportJob(PARAMS);
    const other = { ...PARAMS, format: 'json' as const };

    const reused = await client
      .createExportJob(other, { idempotencyKey: first.idempotencyKey })
      .catch((error) => error);

    expect(isProblemError(reused) && reused.problem.code).toBe('idempotency-key-reused');
    expect(reused).toMatchObject({ outcome: 'executed', job: { id: first.jobId } });
  });
});

describe('an intent', () => {
  it('can be looked up, and nothing recorded is not called proof', async () => {
    const created = await client.createExportJob(PARAMS);

    const found = await client.lookupOperation(created.idempotencyKey);
    const none = await client.lookupOperation(uuidv7());

    expect(found).toMatchObject({ state: 'committed', job: { id: created.jobId } });
    expect(none).toMatchObject({ state: 'none', definitive: false });
  });

  it('that is abandoned is not executed any more; one that was executed cannot be', async () => {
    const created = await client.createExportJob(PARAMS);
    const key = uuidv7();

    const abandoned = await client.abandonOperation(key);
    const late = await client.createExportJob(PARAMS, { idempotencyKey: key }).catch((e) => e);
    const tooLate = await client.abandonOperation(created.idempotencyKey).catch((e) => e);

    expect(abandoned).toMatchObject({ state: 'abandoned', executed: 'no' });
    expect(late).toMatchObject({ outcome: 'not-executed', problem: { intent: 'abandoned' } });
    expect(await jobIdsOf(key)).toEqual([]);
    expect(tooLate).toMatchObject({ outcome: 'executed', job: { id: created.jobId } });
  });
});

describe('articles, a job and its file', () => {
  it('go all the way', async () => {
    const put = await client.putArticle('way-1', {
      title: 'One',
      markdown: 'Said *once*.',
      language: 'en',
    });
    const again = await client.putArticle('way-1', {
      title: 'One',
      markdown: 'Said *once*.',
      language: 'en',
    });
    const stale = await client
      .putArticle('way-1', { title: 'Two', markdown: 'x' }, { ifMatch: '"other"' })
      .catch((error) => error);
    const created = await client.createExportJob({ articleIds: ['way-1'], format: 'text' });
    const seen: string[] = [];
    const job = await client.waitForJob(created.jobId, {
      onProgress: ({ status }) => seen.push(status),
    });
    const chunks: Uint8Array[] = [];
    const file = await client.downloadFile(
      created.jobId,
      new WritableStream({ write: (chunk) => void chunks.push(chunk) }),
    );

    expect([put.created, again.created, again.etag === put.etag]).toEqual([true, false, true]);
    expect(stale).toMatchObject({ outcome: 'not-executed', etag: put.etag });
    expect(job.status).toBe('succeeded');
    expect(seen.at(-1)).toBe('succeeded');
    expect(Buffer.concat(chunks).toString()).toContain('Said _once_.');
    expect(file).toEqual(job.file);
    expect((await client.getArticle('way-1')).markdown).toBe('Said *once*.');
    await client.deleteArticle('way-1');
    expect(await Array.fromAsync(client.listArticles())).toEqual([]);
  });

  it('a job without its articles fails, has no file, and cannot be cancelled', async () => {
    const { jobId } = await client.createExportJob({ articleIds: ['missing'], format: 'text' });
    const job = await client.waitForJob(jobId);

    const noFile = await client.downloadFile(jobId, new WritableStream()).catch((error) => error);
    const tooLate = await client.cancelJob(jobId).catch((error) => error);

    expect(job).toMatchObject({ status: 'failed', error: { code: 'articles-missing' } });
    expect(isProblemError(noFile) && noFile.problem.code).toBe('job-has-no-file');
    expect(isProblemError(tooLate) && tooLate.problem.code).toBe('job-already-finished');
  });

  it('jobs are listed page by page, newest first, all of them', async () => {
    const own = createClient({ url: stack.url, token: await stack.token('lister') });
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift((await own.createExportJob(PARAMS)).jobId);
    }

    const listed = await Array.fromAsync(own.listJobs({ pageSize: 2 }));

    expect(listed.map(({ id }) => id)).toEqual(ids);
  });
});

describe('the command', () => {
  let command: CommandLine;
  beforeAll(async () => {
    command = await commandLine(stack.url, await stack.token('commander'));
  });
  afterAll(() => command?.remove());

  it('goes all the way: articles, create, wait, download, list', async () => {
    writeFileSync(join(command.folder, 'one.md'), 'Said *once*, again.');

    const put = await command.run(['articles', 'put', 'one', 'one.md', '--title', 'One']);
    const created = await command.run(['--json', 'create', 'one', '--format', 'markdown']);
    const { jobId } = JSON.parse(created.stdout);
    const waited = await command.run(['wait', jobId]);
    const saved = await command.run(['download', jobId]);
    const savedAgain = await command.run(['download', jobId]);
    const listed = await command.run(['--json', 'list', '--status', 'succeeded']);
    const articles = await command.run(['articles', 'list']);
    const late = await command.run(['cancel', jobId]);

    expect([put.code, created.code, waited.code, saved.code]).toEqual([0, 0, 0, 0]);
    expect(waited.stdout).toMatch(/^status +succeeded$/m);
    expect(readFileSync(join(command.folder, `${jobId}.md`), 'utf8')).toContain('Said');
    expect([savedAgain.code, savedAgain.stderr.includes('--force')]).toEqual([9, true]);
    expect(JSON.parse(listed.stdout)).toMatchObject({ id: jobId, status: 'succeeded' });
    expect(articles.stdout).toContain('One');
    expect(late.code).toBe(3);
    expect(readdirSync(command.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('wait tells a job that failed, and one that is not there', async () => {
    const created = await command.run(['--json', 'create', 'missing', '--format', 'text']);
    const { jobId } = JSON.parse(created.stdout);

    const failed = await command.run(['wait', jobId]);
    const absent = await command.run(['wait', uuidv7()]);

    expect([failed.code, absent.code]).toEqual([6, 8]);
    expect(failed.stdout).toContain('articles-missing');
  });

  it('operations abandon keeps an intent from being executed', async () => {
    const key = uuidv7();

    const abandoned = await command.run(['operations', 'abandon', key]);
    const created = await command.run(['create', 'one', '--key', key]);

    expect([abandoned.code, created.code]).toEqual([0, 3]);
    expect(await jobIdsOf(key)).toEqual([]);
  });
});
