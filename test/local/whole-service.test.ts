import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSampleArticles } from '#local/sample-articles.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';

const until = { timeout: 25_000, interval: 100 };

describe('the service on one machine', () => {
  let stack: RunningStack;
  let authorization: string;
  beforeAll(async () => {
    stack = await startStack({ samples: true });
    authorization = `Bearer ${await stack.token('demo')}`;
  });
  afterAll(() => stack?.stop());

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${stack.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { authorization, 'content-type': 'application/json', ...init.headers },
    });
  const create = (key: string) =>
    call('/v1/export-jobs', {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: JSON.stringify({ articleIds: ['retries-en', 'outbox-de'], format: 'text' }),
    });

  const statusOf = async (id: string) => {
    const job = (await (await call(`/v1/export-jobs/${id}`)).json()) as { status: string };
    return job.status;
  };

  it('has the sample articles before it is ready', async () => {
    const list = (await (await call('/v1/articles')).json()) as { items: { id: string }[] };

    expect(list.items.map(({ id }) => id)).toEqual(
      readSampleArticles().map(({ articleId }) => articleId),
    );
  });

  it('makes one job of two requests and its file can be fetched without a token', async () => {
    const first = await create('one-key');
    const second = await create('one-key');
    const [firstBody, secondBody] = [await first.text(), await second.text()];
    const { id } = JSON.parse(firstBody);
    await expect.poll(() => statusOf(id), until).toBe('succeeded');

    const redirect = await call(`/v1/export-jobs/${id}/file`);
    const file = await fetch(redirect.headers.get('location') ?? '');

    expect([first, second].map((one) => one.headers.get('idempotent-replayed'))).toEqual([
      'false',
      'true',
    ]);
    expect(secondBody).toBe(firstBody);
    expect(redirect.status).toBe(303);
    expect(await file.text()).toContain('Das Postausgangs-Muster');
    expect(stack.deadLetters()).toEqual([]);
  });

  it('lets a browser elsewhere read the file', async () => {
    const { id } = (await (await create('browser-key')).json()) as { id: string };
    await expect.poll(() => statusOf(id), until).toBe('succeeded');
    const redirect = await call(`/v1/export-jobs/${id}/file`);

    const file = await fetch(redirect.headers.get('location') ?? '', {
      headers: { origin: 'https://reader.example' },
    });

    expect(file.status).toBe(200);
    expect(file.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('finishes a job whose worker process was killed', async () => {
    process.kill(stack.pids().runJob ?? 0, 'SIGKILL');
    const { id } = (await (await create('killed-key')).json()) as { id: string };

    await expect.poll(() => statusOf(id), until).toBe('succeeded');
  });
});

describe('npm run demo', () => {
  it('shows a replay, saves the file and stops everything', async () => {
    const command = fileURLToPath(new URL('../../infra/local/demo.ts', import.meta.url));
    const demo = spawn(process.execPath, [command], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(demo, 'close');
    const [shown, complaints] = await Promise.all([text(demo.stdout), text(demo.stderr)]);

    expect(await ended).toEqual([0, null]);
    expect(complaints).toBe('');
    expect(shown).toMatch(/status +202 +202/);
    expect(shown).toMatch(/Idempotent-Replayed +false +true/);
    expect(shown).toMatch(/job +([0-9a-f-]{36}) +\1/);
    expect(shown).toMatch(/Saved \d+ bytes in /);
    expect(shown).toContain('Everything is stopped.');
  });

  it('ends with code 1 and a sentence when the service does not start', async () => {
    const command = fileURLToPath(new URL('../../infra/local/demo.ts', import.meta.url));
    const demo = spawn(process.execPath, [command], {
      env: { ...process.env, DYNAMODB_ENDPOINT: 'nowhere' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(demo, 'close');

    expect(await text(demo.stderr)).toBe(
      'The service did not start. DYNAMODB_ENDPOINT must be an http or https URL, not "nowhere".\n',
    );
    expect(await ended).toEqual([1, null]);
  });
});
