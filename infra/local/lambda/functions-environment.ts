// The environment that functions get on one machine: where DynamoDB, S3 and Lambda are, what the
// resources are called, and everything that the caller of `npm start` had set, which wins (except
// where DynamoDB is: that is DYNAMODB_ENDPOINT's to say, so that no call goes elsewhere).

import { join } from 'node:path';
import { readTables } from '#local/dynamodb/make-tables.ts';
import { tableVariable } from '#local/dynamodb/table-variable.ts';
import { LOCAL_FOLDER } from '#local/gateway/signing-key.ts';
import { LOCAL_STAGE } from '#local/stack/service-definition.ts';

export const EXPORTS_BUCKET = 'exports';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Endpoints {
  readonly dynamoDb: string;
  readonly s3: string;
  readonly lambda: string;
  readonly runJobFunction: string;
}

/** One constant pair, so that a kept data folder is found again; another pair is another database. */
export function credentialsFrom(env: NodeJS.ProcessEnv): Credentials {
  return {
    accessKeyId: env.AWS_ACCESS_KEY_ID || 'local',
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY || 'local',
  };
}

export function regionFrom(env: NodeJS.ProcessEnv): string {
  return env.AWS_REGION || 'us-east-1';
}

export function functionsEnvironment(env: NodeJS.ProcessEnv, at: Endpoints): NodeJS.ProcessEnv {
  const { accessKeyId, secretAccessKey } = credentialsFrom(env);
  const tables = readTables().map(({ name }) => [tableVariable(name), name]);
  // A profile would win over the key pair in the SDK and send real credentials to local servers.
  const { AWS_PROFILE: _profile, ...own } = env;
  return {
    ...Object.fromEntries(tables),
    STAGE: LOCAL_STAGE,
    EXPORTS_BUCKET,
    RUN_JOB_FUNCTION: at.runJobFunction,
    AWS_ENDPOINT_URL_S3: at.s3,
    AWS_ENDPOINT_URL_LAMBDA: at.lambda,
    S3_FORCE_PATH_STYLE: 'true',
    // Halves what each start of a render thread costs (280 ms of CPU instead of 500 ms).
    NODE_COMPILE_CACHE: join(LOCAL_FOLDER, 'compile-cache'),
    ...own,
    AWS_REGION: regionFrom(env),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: at.dynamoDb,
  };
}

/** What decides which tables are read, and by which rules. */
const TOLD_TO_TOOLS =
  /^(STAGE|TABLE_\w+|EXPORTS_BUCKET|RUN_JOB_FUNCTION|RETENTION_\w+|ADMIT_NOT_BEFORE|JOB_RETENTION|AWS_REGION|AWS_ACCESS_KEY_ID|AWS_ENDPOINT_URL_\w+)$/;

/** The part of the functions' environment that tools beside the stack may read in a file: no secret. */
export function toldToTools(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => TOLD_TO_TOOLS.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}
