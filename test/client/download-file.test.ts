// downloadFile against a file server that breaks: the stream is closed only over the right bytes.

import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientIn } from '#client/client.ts';
import type { DownloadFileOptions } from '#client/download-file.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld, type World } from '#client/world.ts';
import { JOB_ID } from '#test/client/wire-answers.ts';

const FILE = randomBytes(300_000);
const SHA256 = createHash('sha256').update(FILE).digest('hex');

type FileStep = (request: http.IncomingMessage, response: http.ServerResponse) => void;

let server: http.Server;
let url: string;
let steps: FileStep[];
let ranges: (string | undefined)[];
let tokens: (string | undefined)[];
let pausesMs: number[];
let told: { bytes: number; sha256: string };

beforeEach(async () => {
  steps = [];
  ranges = [];
  tokens = [];
  told = { bytes: FILE.length, sha256: SHA256 };
  server = http.createServer((request, response) => {
    if (request.url === '/file') {
      ranges.push(request.headers.range);
      tokens.push(request.headers.authorization);
      (steps.shift() ?? sendsRest)(request, response);
      return;
    }
    const job = {
      id: JOB_ID,
      status: 'succeeded',
      idempotencyKey: 'k',
      format: 'text',
      createdAt: '2026-01-01T00:00:00.000Z',
      progress: { done: 1, total: 1 },
      file: { ...told, contentType: 'text/plain' },
      links: { self: '/s', cancel: '/c', file: '/f' },
    };
    const isFile = request.url?.endsWith('/file');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isFile ? { url: `${url}/file`, expiresAt: 'x' } : job));
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const sendsRest: FileStep = ({ headers }, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const range = { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` };
  response.writeHead(headers.range ? 206 : 200, headers.range ? range : {});
  response.end(FILE.subarray(from));
};
const sendsAll: FileStep = (_, response) => void response.end(FILE);
const breaksAt =
  (bytes: number): FileStep =>
  (_, response) => {
    response.writeHead(200, { 'content-length': FILE.length });
    response.write(FILE.subarray(0, bytes), () => response.socket?.destroy());
  };
const answersStatus =
  (status: number, headers: http.OutgoingHttpHeaders = {}): FileStep =>
  (_, response) => {
    // Only the Date that a step gives.
    response.sendDate = false;
    response.writeHead(status, headers).end('no');
  };

async function download(options: DownloadFileOptions = {}) {
  pausesMs = [];
  const after: World['after'] = (ms, then) => {
    // Shorter than the time of an attempt: a pause. Here it takes none.
    if (ms > 0 && ms < 9_000) pausesMs.push(ms);
    return realWorld.after(ms < 9_000 ? 0 : ms, then);
  };
  const client = clientIn(
    { ...realWorld, random: () => 0, after },
    { url, token: 'secret', retryBudget: retryBudget() },
  );
  const chunks: Uint8Array[] = [];
  let end = 'open';
  const to = new WritableStream<Uint8Array>({
    write: (chunk) => void chunks.push(chunk),
    close: () => {
      end = 'closed';
    },
    abort: () => {
      end = 'aborted';
    },
  });
  const result = await client.downloadFile(JOB_ID, to, options).catch((error) => error);
  return { result, end, bytes: Buffer.concat(chunks) };
}

describe('a download', () => {
  it('closes the stream over the right bytes, and gives the token to nobody', async () => {
    const { result, end, bytes } = await download();

    expect([end, bytes.equals(FILE)]).toEqual(['closed', true]);
    expect(result).toEqual({ bytes: FILE.length, sha256: SHA256, contentType: 'text/plain' });
    expect(tokens).toEqual([undefined]);
  });

  it('that breaks goes on where it stopped', async () => {
    steps = [breaksAt(100_000)];

    const { end, bytes } = await download();

    expect([end, bytes.equals(FILE)]).toEqual(['closed', true]);
    expect(ranges[0]).toBeUndefined();
    expect(ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it('that breaks goes on, too, when the server knows no ranges', async () => {
    steps = [breaksAt(100_000), sendsAll];

    const { end, bytes } = await download();

    expect([end, bytes.equals(FILE)]).toEqual(['closed', true]);
  });

  it('takes a new URL when the old one has expired', async () => {
    steps = [answersStatus(403)];

    expect((await download()).end).toBe('closed');
  });

  it.each([
    ['of another digest', () => ({ bytes: FILE.length, sha256: '0'.repeat(64) })],
    ['that is longer than was told', () => ({ bytes: 10, sha256: SHA256 })],
  ])('%s is damaged: the stream is aborted, never closed', async (_, tell) => {
    told = tell();

    const { result, end } = await download();

    expect(result).toMatchObject({
      name: 'StoppedError',
      code: 'file-damaged',
      outcome: 'executed',
    });
    expect(end).toBe('aborted');
  });

  it('that stays too short fails after five tries', async () => {
    told = { bytes: FILE.length + 1, sha256: SHA256 };

    const { result, end } = await download();

    expect(result).toMatchObject({ name: 'NoAnswerError' });
    expect([end, ranges.length]).toEqual(['aborted', 5]);
  });

  it('that is redirected is not followed', async () => {
    steps = [(_, response) => void response.writeHead(302, { location: `${url}/file` }).end()];

    const { result, end } = await download();

    expect([result.name, end, ranges.length]).toEqual(['NoAnswerError', 'aborted', 1]);
  });

  const DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const in3s = () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_000).toUTCString();

  it.each([
    ['503, seconds', 503, () => ({ 'retry-after': '3' }), 3_000, 3_000],
    ['429, seconds', 429, () => ({ 'retry-after': '3' }), 3_000, 3_000],
    [
      '503, a date beside a Date',
      503,
      () => ({ 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT', date: DATE }),
      3_000,
      3_000,
    ],
    ['503, a date without a Date', 503, () => ({ 'retry-after': in3s() }), 2_500, 4_000],
  ])('is repeated no sooner than Retry-After says (%s)', async (...row) => {
    const [, status, headers, leastMs, mostMs] = row;
    steps = [(...exchange) => answersStatus(status, headers())(...exchange)];

    const { end } = await download();

    expect([end, ranges.length, pausesMs.length]).toEqual(['closed', 2, 1]);
    expect(pausesMs[0]).toBeGreaterThanOrEqual(leastMs);
    expect(pausesMs[0]).toBeLessThanOrEqual(mostMs);
  });

  it('that is to pause for longer than its deadline leaves ends at once', async () => {
    steps = [answersStatus(503, { 'retry-after': '60' })];

    const { result, end } = await download({ timeoutMs: 50_000 });

    expect(result).toMatchObject({ name: 'NoAnswerError', outcome: 'executed' });
    expect(result.message).toContain('(status 503)');
    expect([end, ranges.length, pausesMs]).toEqual(['aborted', 1, []]);
  });

  it('to a stream that fails says so and is not repeated', async () => {
    const client = clientIn(realWorld, { url, token: 't', retryBudget: retryBudget() });
    const full = new Error('disk full');
    const to = new WritableStream<Uint8Array>({
      write() {
        throw full;
      },
    });

    const error = await client.downloadFile(JOB_ID, to).catch((thrown) => thrown);

    expect(error).toMatchObject({ code: 'callback-failed', cause: full });
    expect(ranges).toHaveLength(1);
  });
});
