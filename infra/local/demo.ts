// `npm run demo`: the promise in half a minute. Starts the service, asks for one export twice under
// one key, shows that there is one job, waits for the file, saves it and stops everything.
// Exit code 0 only when all of that happened; otherwise one sentence.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SingleBar } from 'cli-progress';
import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { signToken } from '#local/gateway/jwt.ts';
import { LOCAL_FOLDER, loadSigningKey } from '#local/gateway/signing-key.ts';
import { readSampleArticles, SAMPLE_SUBJECT } from '#local/sample-articles.ts';
import { explain, Sentence } from '#local/stack/sentence.ts';

/** For all of it, milliseconds. */
const LIMIT_MS = 58_000;
const ARTICLES = 3;
const LINES_SHOWN = 12;

const jobSchema = z.object({
  id: z.string(),
  status: z.string(),
  progress: z.object({ done: z.number(), total: z.number() }),
  file: z.object({ bytes: z.number() }).optional(),
  error: z.object({ detail: z.string() }).optional(),
});
type Job = z.infer<typeof jobSchema>;

const say = (line = '') => void process.stdout.write(`${line}\n`);

async function demo(signal: AbortSignal): Promise<void> {
  say('1. Starting the service on this machine …');
  const service = await startService(signal);
  try {
    say(`   it serves at ${service.url}`);
    const token = await signToken(loadSigningKey(), SAMPLE_SUBJECT);
    const call = caller(service.url, token, signal);
    const jobId = await createTwice(call);
    await waitForEnd(call, jobId);
    await download(call, jobId);
  } finally {
    await service.stop();
  }
  say('6. Everything is stopped.');
}

type Call = (path: string, init?: RequestInit) => Promise<Response>;

function caller(url: string, token: string, signal: AbortSignal): Call {
  return (path, init = {}) => {
    const headers = { authorization: `Bearer ${token}`, ...init.headers };
    return fetch(new URL(path, url), { redirect: 'manual', signal, ...init, headers });
  };
}

async function startService(signal: AbortSignal) {
  const start = fileURLToPath(new URL('start.ts', import.meta.url));
  const child = spawn(process.execPath, [start], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const problem = readText(child.stderr);
  const ready = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('ready ')) ready.resolve(line.slice('ready '.length));
  });
  ended.then(async () => ready.reject(new Sentence(`The service did not start. ${await problem}`)));
  signal.addEventListener('abort', () => ready.reject(signal.reason));
  try {
    return { url: await ready.promise, stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function createTwice(call: Call): Promise<string> {
  // English first, so that what is shown of the file can be read by most.
  const articleIds = readSampleArticles()
    .toSorted((a, b) => Number(b.body.language === 'en') - Number(a.body.language === 'en'))
    .slice(0, ARTICLES)
    .map(({ articleId }) => articleId);
  if (articleIds.length < ARTICLES) {
    throw new Sentence(`The demo needs ${ARTICLES} articles in infra/local/sample-articles.`);
  }
  const key = uuidv7();
  const body = JSON.stringify({ articleIds, format: 'text', title: 'Demo' });
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  say();
  say(`2. Asking for one export of ${articleIds.join(', ')}`);
  say(`   and, as a caller does who got no answer, asking again under the same key ${key}:`);
  say();
  const answers: { response: Response; text: string }[] = [];
  for (const _ of ['first', 'second']) {
    const response = await call('/v1/export-jobs', { method: 'POST', headers, body });
    answers.push({ response, text: await response.text() });
  }
  const [first, second] = answers;
  if (first?.response.status !== 202 || second === undefined) {
    throw new Sentence(`The export was refused: ${first?.response.status} ${first?.text}`);
  }
  const jobOf = (text: string | undefined) =>
    z.object({ id: z.string() }).parse(JSON.parse(text ?? ''));
  const rows: [string, (answer: (typeof answers)[number]) => string | null][] = [
    ['', (answer) => (answer === first ? 'first request' : 'second request')],
    ['status', ({ response }) => String(response.status)],
    ['Idempotent-Replayed', ({ response }) => response.headers.get('idempotent-replayed')],
    ['job', ({ text }) => jobOf(text).id],
  ];
  for (const [name, value] of rows) {
    const [left, right] = answers.map((answer) => value(answer) ?? '(none)');
    say(`   ${name.padEnd(20)}  ${left?.padEnd(38)}${right}`);
  }
  const isReplay =
    first.response.headers.get('idempotent-replayed') === 'false' &&
    second.response.headers.get('idempotent-replayed') === 'true';
  if (!isReplay || second.text !== first.text) {
    throw new Sentence('The second answer is not a replay of the first: the promise is broken.');
  }
  say();
  say('   One job, and the same answer byte for byte.');
  return jobOf(first.text).id;
}

async function waitForEnd(call: Call, jobId: string): Promise<void> {
  say();
  say('3. Waiting for the file …');
  const show = progressOn(process.stdout.isTTY === true);
  let etag = '';
  for (;;) {
    // A long poll: answers at the next change, or after two seconds.
    const headers = { prefer: 'wait=2', ...(etag && { 'if-none-match': etag }) };
    const response = await call(`/v1/export-jobs/${jobId}`, { headers });
    const text = await response.text();
    if (response.status === 304) continue;
    if (response.status !== 200) throw new Sentence(`The job cannot be read: ${text}`);
    etag = response.headers.get('etag') ?? '';
    const job = jobSchema.parse(JSON.parse(text));
    show(job);
    if (job.status === 'succeeded') return;
    if (job.status === 'failed' || job.status === 'cancelled') {
      throw new Sentence(
        `The job ended as ${job.status}: ${job.error?.detail ?? 'no reason given'}`,
      );
    }
  }
}

/** A bar on a terminal, a line for each change elsewhere. */
function progressOn(isTerminal: boolean): (job: Job) => void {
  if (!isTerminal) {
    return ({ status, progress }) =>
      say(`   ${status} ${progress.done}/${progress.total} articles`);
  }
  const bar = new SingleBar({ format: '   {bar} {value}/{total} articles, {status}' });
  let started = false;
  return ({ status, progress }) => {
    if (!started) bar.start(progress.total, progress.done, { status });
    else bar.update(progress.done, { status });
    started = true;
    if (status !== 'queued' && status !== 'running') bar.stop();
  };
}

async function download(call: Call, jobId: string): Promise<void> {
  const redirect = await call(`/v1/export-jobs/${jobId}/file`);
  const location = redirect.headers.get('location');
  if (redirect.status !== 303 || location === null) {
    throw new Sentence(`The file was not offered: ${redirect.status} ${await redirect.text()}`);
  }
  // Without the token: the URL is signed.
  const response = await fetch(location);
  if (!response.ok) throw new Sentence(`The download failed: ${response.status}.`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const folder = join(LOCAL_FOLDER, 'demo');
  const file = join(folder, `${jobId}.txt`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, bytes);
  say();
  say(`4. Saved ${bytes.length} bytes in ${relative(process.cwd(), file)}`);
  say();
  say('5. It begins:');
  for (const line of bytes.toString().split('\n').slice(0, LINES_SHOWN)) say(`   | ${line}`);
  say();
}

try {
  await demo(AbortSignal.timeout(LIMIT_MS));
} catch (failure) {
  const late = failure instanceof Error && failure.name === 'TimeoutError';
  const sentence = late ? 'The demo took longer than a minute and was stopped.' : explain(failure);
  process.stderr.write(`${sentence.trim()}\n`);
  process.exitCode = 1;
}
