// One create through the handler of the checkout named by the first argument, under V8's precise coverage.
// Prints the counts as the last line of its output. It imports nothing of our own, so that it can load
// another checkout's code.

import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = process.argv[2];
if (root === undefined) throw new Error('name the checkout');
const ours = `${pathToFileURL(join(root, 'functions')).href}/`;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const { handler } = await import(
  pathToFileURL(join(root, 'functions/handlers/create-export-job.ts')).href
);
// Taking the counts sets them to zero: the create below starts with none.
const loaded = (await take()).length;
const answer = await handler(
  {
    version: '2.0',
    routeKey: 'POST /v1/export-jobs',
    rawPath: '/v1/export-jobs',
    rawQueryString: '',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'house-1' },
    body: '{"articleIds":["a-1","a-2"],"format":"text"}',
    isBase64Encoded: false,
    requestContext: {
      requestId: 'house',
      routeKey: 'POST /v1/export-jobs',
      timeEpoch: Date.now(),
      http: { method: 'POST', path: '/v1/export-jobs' },
      authorizer: { jwt: { claims: { iss: 'https://issuer.test', sub: 'house' } } },
    },
  },
  { functionName: 'house', awsRequestId: 'house', getRemainingTimeInMillis: () => 10_000 },
);
if (answer.statusCode !== 202) throw new Error(`the create was refused: ${answer.body}`);

const ran = (await take())
  .map(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
  .filter((count) => count > 0);
const functionsRun = ran.reduce((sum, count) => sum + count, 0);
console.log(JSON.stringify({ filesLoaded: loaded, filesRun: ran.length, functionsRun }));
process.exit();

async function take() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.filter(({ url }) => url.startsWith(ours));
}
