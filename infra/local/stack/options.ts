// What a person may set of the local stack: flags and environment variables. Everything that is
// wrong is one sentence, told before anything is started.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BASE_PATH_PATTERN } from '#contract/grammar.ts';
import { type Cors, corsOf } from '#infra/cors.ts';
import { Sentence } from '#local/stack/sentence.ts';

export interface Options {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly dataFolder: string | undefined;
  readonly dynamoDbEndpoint: string | undefined;
  /** How long that one may take to come up. */
  readonly dynamoDbWaitS: number;
  readonly serviceFile: string;
  /** `` or `/exports`: everything is served below it. */
  readonly basePath: string;
  readonly cors: Cors | false;
  readonly samples: boolean;
}

export const HELP = `Starts the whole service on this machine.

  npm start [-- --data DIR] [--base-path PATH] [--no-samples]

  --data DIR       keeps tables, files and the stream position in DIR over restarts
  --base-path PATH serves everything below a path such as /exports, as a custom domain may (BASE_PATH)
  --no-samples     does not put the sample articles
  --service FILE   serves another serverless.yml

Variables: PORT (8787; 0 takes a free one), HOST (127.0.0.1), ALLOWED_ORIGINS (of browsers, separated by
commas, or *), DYNAMODB_ENDPOINT (a DynamoDB that already runs, or will within DYNAMODB_WAIT_SECONDS (60);
otherwise DynamoDB Local is started, which needs Java). All others reach the functions.
`;

/** @throws Sentence */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  return {
    host: env.HOST || '127.0.0.1',
    port: readWhole('PORT', env, { fallback: 8787, max: 65_535 }),
    dataFolder: readData(values.data),
    dynamoDbEndpoint: readEndpoint(env.DYNAMODB_ENDPOINT),
    dynamoDbWaitS: readWhole('DYNAMODB_WAIT_SECONDS', env, { fallback: 60, max: 3_600 }),
    serviceFile: values.service
      ? resolve(values.service)
      : fileURLToPath(new URL('../../../serverless.yml', import.meta.url)),
    samples: !values['no-samples'],
    basePath: readBasePath(values['base-path'] ?? env.BASE_PATH),
    cors: readCors(env.ALLOWED_ORIGINS),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        data: { type: 'string' },
        service: { type: 'string' },
        'base-path': { type: 'string' },
        'no-samples': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (failure) {
    throw new Sentence(`${(failure as Error).message} See npm start -- --help.`);
  }
}

function readWhole(
  name: string,
  env: NodeJS.ProcessEnv,
  { fallback, max }: { readonly fallback: number; readonly max: number },
): number {
  const text = env[name] || String(fallback);
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new Sentence(`${name} must be a whole number from 0 to ${max}, not "${text}".`);
}

function readCors(origins = ''): Cors | false {
  try {
    return corsOf(origins);
  } catch (error) {
    throw error instanceof RangeError ? new Sentence(error.message) : error;
  }
}

function readBasePath(text = ''): string {
  if (text === '' || BASE_PATH_PATTERN.test(text)) return text;
  throw new Sentence(`The base path must be a path such as /exports, not "${text}".`);
}

function readData(folder: string | undefined): string | undefined {
  if (folder === '') throw new Sentence('--data needs the name of a folder.');
  return folder === undefined ? undefined : resolve(folder);
}

function readEndpoint(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new Sentence(`DYNAMODB_ENDPOINT must be an http or https URL, not "${text}".`);
}
