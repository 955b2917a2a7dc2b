// A client that a stranger generates from the published document compiles under our strict settings and
// talks to the service. Nothing of this repository is in its hands but GET /openapi.json.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiValidator } from '#test/http/openapi-validator.ts';
import { callerOf } from '#test/support/http-caller.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Written against the types of the generated client: what is wrong in it does not compile. */
const PROGRAM = `
import { createExportJob, getExportJob, lookUpOperation, putArticle } from './client.ts';

const init = { headers: { authorization: process.env.AUTHORIZATION ?? '' } };
const key = process.env.KEY ?? '';
const body = { articleIds: ['a-1'], format: 'markdown' as const };

const put = await putArticle('a-1', { title: 'A', markdown: '# A' }, {}, init);
const first = await createExportJob(body, { 'Idempotency-Key': key }, init);
const again = await createExportJob(body, { 'Idempotency-Key': key }, init);
if (first.status !== 202 || again.status !== 202) throw new Error(first.data.toString());
const jobId: string = first.data.id;
let job = await getExportJob(jobId, { Prefer: 'wait=20' }, init);
while (job.status === 200 && job.data.finishedAt === undefined) {
  job = await getExportJob(jobId, { Prefer: 'wait=20' }, init);
}
if (job.status !== 200) throw new Error('no job');
const reused = await createExportJob({ ...body, format: 'epub' }, { 'Idempotency-Key': key }, init);
if (reused.status !== 422) throw new Error('not refused');
const code: 'idempotency-key-reused' = reused.data.code;
const intent = await lookUpOperation(key, {}, {}, init);
const unknown = await createExportJob(body, { 'Idempotency-Key': key });
if (unknown.status !== 401) throw new Error('let in');
const refused: string = 'message' in unknown.data ? unknown.data.message : unknown.data.code;

// @ts-expect-error a create without its key
const withoutKey = () => createExportJob(body, {}, init);
// @ts-expect-error a format that is not served
const ofNoFormat = () => createExportJob({ ...body, format: 'pdf' }, { 'Idempotency-Key': key }, init);

console.log(JSON.stringify({
  put: put.status,
  same: first.data.id === again.data.id,
  replayed: [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
  job: job.data.status,
  code,
  intent: intent.status === 200 && intent.data.state,
  refused,
}));
void [withoutKey, ofNoFormat];
`;

let stack: RunningStack;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-once-generated-'));
  stack = await startStack({ env: { AWS_ACCESS_KEY_ID: 'generatedclient' } });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a client generated from the document compiles and talks to the service', async () => {
  const document = await (await fetch(`${stack.url}/openapi.json`)).text();
  const tool = (name: string) => join(ROOT, 'node_modules/.bin', name);
  const write = (name: string, content: unknown) =>
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  write('openapi.json', document);
  write('package.json', { type: 'module' });
  write('orval.config.mjs', `export default ${JSON.stringify(generatorConfig(stack.url))};`);
  write('program.ts', PROGRAM);
  write('tsconfig.json', {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      lib: ['es2024', 'dom', 'dom.iterable'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: ['*.ts'],
  });

  await run(tool('orval'), ['--config', 'orval.config.mjs'], { cwd: folder });
  await run(tool('tsc'), ['-p', folder], { cwd: folder });
  const { stdout } = await run(process.execPath, ['program.ts'], {
    cwd: folder,
    env: { AUTHORIZATION: `Bearer ${await stack.token('stranger')}`, KEY: 'generated-1' },
  });

  expect(JSON.parse(stdout)).toEqual({
    put: 201,
    same: true,
    replayed: ['false', 'true'],
    job: 'succeeded',
    code: 'idempotency-key-reused',
    intent: 'committed',
    refused: 'Unauthorized',
  });
});

it('answers over the real gateway are as the document says, the own ones of the gateway too', async () => {
  const faultsOf = openApiValidator(await (await fetch(`${stack.url}/openapi.json`)).json());
  const { send } = await callerOf(stack, 'reader');
  const asked = [
    ['GET', '/v1/export-jobs', '/v1/export-jobs'],
    ['GET', '/v1/articles', '/v1/articles'],
    ['GET', '/v1/articles/none', '/v1/articles/{articleId}'],
    ['HEAD', '/v1/articles/none', '/v1/articles/{articleId}'],
    ['GET', '/v1/operations/none', '/v1/operations/{key}'],
    ['GET', '/v1/capabilities', '/v1/capabilities'],
    ['GET', '/docs', '/docs'],
    ['GET', '/problems/file-gone', '/problems/{code}'],
  ] as const;
  for (const [method, path, template] of asked) {
    const answers = [await send(method, path)];
    if (path.startsWith('/v1/') && path !== '/v1/capabilities') {
      answers.push(await send(method, path, { headers: { authorization: 'Bearer none' } }));
      expect(answers[1]?.status).toBe(401);
    }
    for (const { status, headers, text } of answers) {
      const own = Object.fromEntries(
        [...headers].filter(([name]) => !OF_THE_GATEWAY.includes(name)),
      );
      expect(faultsOf(`${method} ${template}`, { status, headers: own, text })).toEqual([]);
    }
  }
});

/** Headers that the gateway or the connection adds. */
const OF_THE_GATEWAY = [
  'apigw-requestid',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'www-authenticate',
];

function generatorConfig(baseUrl: string) {
  return {
    service: {
      input: './openapi.json',
      output: { target: './client.ts', client: 'fetch', baseUrl, headers: true },
    },
  };
}
