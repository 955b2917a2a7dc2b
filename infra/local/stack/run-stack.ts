// Runs the whole service on this machine until it is asked to stop. Says what runs where, then one line
// `ready http://…`; at the end `stopped`, also when it was asked while starting. What goes wrong is one
// sentence on stderr and exit code 1. Everything it started is stopped within 5 s.

import { signToken } from '#local/gateway/jwt.ts';
import { loadSigningKey } from '#local/gateway/signing-key.ts';
import { putSampleArticles, readSampleArticles, SAMPLE_SUBJECT } from '#local/sample-articles.ts';
import { HELP, type Options, readOptions } from '#local/stack/options.ts';
import { explain } from '#local/stack/sentence.ts';
import { type Stack, startStack } from '#local/stack/stack.ts';

/** A part that does not let itself be stopped is left to its own watchdog after this. */
const STOP_LIMIT_MS = 4_500;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Ends the process. */
export async function runStack(asked: AbortSignal): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    if (options === 'help') say(HELP);
    else await serve(options, asked);
  } catch (failure) {
    process.stderr.write(`${explain(failure)}\n`);
    process.exitCode = 1;
  }
  process.exit();
}

async function serve(options: Options, asked: AbortSignal): Promise<void> {
  const key = loadSigningKey();
  const starting = startStack({ options, key, say, signal: asked });
  const stopAsked = new Promise<void>((resolve) => {
    asked.addEventListener('abort', () => resolve(), { once: true });
  });
  const stack = await Promise.race([starting, stopAsked]);
  // Asked to stop while starting: what has started is stopped as soon as it can be. That the rest did not
  // start is no failure then.
  if (!stack) return stopWithin(() => starting.then(({ stop }) => stop()).catch(() => undefined));
  const token = await signToken(key, SAMPLE_SUBJECT);
  introduce(stack, token);
  if (options.samples) say(await putSampleArticles(stack.status.url, token));
  if (!asked.aborted) say(`ready ${stack.status.url}`);

  const failure = await Promise.race([stopAsked, stack.failed]);
  if (!failure) return stopWithin(stack.stop);
  process.stderr.write(`${failure.message}\n`);
  process.exitCode = 1;
  await stopWithin(stack.stop);
}

async function stopWithin(stop: () => Promise<void>): Promise<void> {
  if (!process.exitCode) say('stopping');
  const force = setTimeout(() => {
    process.stderr.write(
      'Not everything has stopped in time: what is left ends with this process.\n',
    );
    process.exit(1);
  }, STOP_LIMIT_MS);
  await stop();
  clearTimeout(force);
  if (!process.exitCode) say('stopped');
}

function introduce({ status, folder, tablesMade }: Stack, token: string): void {
  const { url, pids, dynamoDbEndpoint, s3Endpoint, lambdaEndpoint } = status;
  const { stack, dynamodb, ...groups } = pids;
  const where = folder.tablesFolder === undefined ? 'in memory' : `in ${folder.tablesFolder}`;
  say(`gateway    ${url} (pid ${stack})`);
  // Said, since it surprises: this one has no option for it.
  const own = dynamodb ? `pid ${dynamodb}, tables ${where}, listens on all interfaces` : 'not ours';
  say(`dynamodb   ${dynamoDbEndpoint} (${own}; ${tablesMade.length} tables made)`);
  say(`s3         ${s3Endpoint} (files in ${folder.s3Folder})`);
  say(`lambda     ${lambdaEndpoint}`);
  for (const [group, pid] of Object.entries(groups)) say(`functions  ${group} (pid ${pid})`);
  say(`logs       ${folder.logFile}`);
  say(`dead letters go to ${folder.deadLettersFile}`);
  const article = readSampleArticles()[0]?.articleId ?? 'ARTICLE-ID';
  say(`
A token for ${SAMPLE_SUBJECT}, good for a day (npm run --silent token -- NAME makes others):
${token}

To paste:
  TOKEN=$(npm run --silent token -- ${SAMPLE_SUBJECT})
  curl -s -H "Authorization: Bearer $TOKEN" ${url}/v1/articles
  curl -si -X POST -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -H 'Idempotency-Key: my-first-export' -d '{"articleIds":["${article}"],"format":"text"}' ${url}/v1/export-jobs
  curl -s -H "Authorization: Bearer $TOKEN" ${url}/v1/export-jobs
`);
}
