// The finished file over real HTTP, from the S3 server of the local stack.

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportFileName } from '#export-jobs/export-file-name.ts';
import { type Caller, callerOf } from '#test/support/http-caller.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';

describe('GET /v1/export-jobs/{jobId}/file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-file-'));
  let stack: RunningStack;
  let alice: Caller;
  let job: { id: string; file: { bytes: number; sha256: string }; links: { file: string } };

  beforeAll(async () => {
    stack = await startStack({ args: ['--data', folder] });
    alice = await callerOf(stack, 'alice');
    await alice.putArticle('a-1', 'Some *text*.');
    const made = await alice.create('k', {
      articleIds: ['a-1'],
      format: 'markdown',
      title: '重試與冪等 / 2026',
    });
    job = await alice.finished(made.body.id);
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('leads with 303 to the very bytes that the job tells, under a name in any script', async () => {
    const answer = await alice.send('GET', job.links.file);
    const file = await fetch(answer.headers.get('location') ?? '');
    const bytes = Buffer.from(await file.arrayBuffer());

    expect(answer.status).toBe(303);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(bytes.byteLength).toBe(job.file.bytes);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(job.file.sha256);
    expect(file.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename=export.md; filename*=UTF-8''${encodeURIComponent('重試與冪等 2026.md')}`,
    );
  });

  it('names the URL and when it ends to those who accept JSON', async () => {
    const before = Date.now();
    const answer = await alice.send('GET', job.links.file, {
      headers: { accept: 'application/json' },
    });
    const after = Date.now();

    expect(answer.status).toBe(200);
    const lifeMs = 300_000;
    expect(Date.parse(answer.body.expiresAt)).toBeGreaterThanOrEqual(before + lifeMs);
    expect(Date.parse(answer.body.expiresAt)).toBeLessThanOrEqual(after + lifeMs);
    expect((await fetch(answer.body.url)).status).toBe(200);
  });

  it('is there for browsers of any origin by its URL', async () => {
    const { headers } = await alice.send('GET', job.links.file);
    const file = await fetch(headers.get('location') ?? '', {
      headers: { origin: 'https://app.example' },
    });

    expect(file.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('does not exist for another caller', async () => {
    const bob = await callerOf(stack, 'bob');

    const answer = await bob.send('GET', job.links.file);

    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe('job-not-found');
  });

  it('is refused while the job has not finished, and when it ended without a file', async () => {
    process.kill(stack.pids().runJob ?? Number.NaN, 'SIGSTOP');
    try {
      const made = await alice.create('k-2', { articleIds: ['a-1'], format: 'text' });
      const path = `/v1/export-jobs/${made.body.id}`;
      const early = await alice.send('GET', `${path}/file`);
      await alice.send('POST', `${path}/cancel`);
      const never = await alice.send('GET', `${path}/file`);

      expect(early.status).toBe(409);
      expect(early.body).toMatchObject({ code: 'job-not-finished', job: { id: made.body.id } });
      expect(Number(early.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(never.status).toBe(409);
      expect(never.body).toMatchObject({ code: 'job-has-no-file', job: { status: 'cancelled' } });
    } finally {
      process.kill(stack.pids().runJob ?? Number.NaN, 'SIGCONT');
    }
  });

  it('is gone once the bucket no longer keeps it: 410', async () => {
    const made = await alice.create('k-3', { articleIds: ['a-1'], format: 'json' });
    const finished = await alice.finished(made.body.id);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (name.includes(made.body.id)) rmSync(join(folder, name), { recursive: true, force: true });
    }

    const answer = await alice.send('GET', finished.links.file);

    expect(answer.status).toBe(410);
    expect(answer.body.code).toBe('file-gone');
  });
});

describe('the name of a file', () => {
  it.each([
    [undefined, 'attachment; filename=export.txt'],
    ['', 'attachment; filename=export.txt'],
    ['Report 2026', 'attachment; filename="Report 2026.txt"'],
    ['../../etc/passwd', 'attachment; filename="etc passwd.txt"'],
    ['a"b\r\nX-Evil: 1', 'attachment; filename="a b X-Evil 1.txt"'],
    ['\u202Egnp.exe', 'attachment; filename=gnp.exe.txt'],
    ['…', "attachment; filename=export.txt; filename*=UTF-8''%E2%80%A6.txt"],
  ])('made of %j is %s', (title, disposition) => {
    expect(exportFileName(title, 'txt')).toBe(disposition);
  });
});
