// Composes the service on one machine and takes it apart again: gateway, DynamoDB, S3, functions,
// stream feed, schedules, Invoke API. Promises: what was started is stopped, also when a later part
// does not start; `failed` tells of a part that the stack cannot live without. Prints nothing itself.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type DynamoDbLocal, startDynamoDbLocal } from '#local/dynamodb/dynamodb-local.ts';
import { makeTables } from '#local/dynamodb/make-tables.ts';
import { untilDynamoDbAnswers } from '#local/dynamodb/until-dynamodb-answers.ts';
import { startS3Server } from '#local/files/s3-server.ts';
import { startGateway } from '#local/gateway/gateway.ts';
import { LOCAL_ISSUER } from '#local/gateway/jwt.ts';
import type { SigningKey } from '#local/gateway/signing-key.ts';
import { asyncInvocations, deadLetters } from '#local/lambda/async-invocations.ts';
import { type FunctionPool, startFunctionPool } from '#local/lambda/function-pool.ts';
import {
  credentialsFrom,
  EXPORTS_BUCKET,
  functionsEnvironment,
  regionFrom,
  toldToTools,
} from '#local/lambda/functions-environment.ts';
import { startInvokeApi } from '#local/lambda/invoke-api.ts';
import { startSchedules } from '#local/lambda/schedule.ts';
import type { Options } from '#local/stack/options.ts';
import { openRunFolder, type RunFolder } from '#local/stack/run-folder.ts';
import { Sentence } from '#local/stack/sentence.ts';
import { readServiceDefinition } from '#local/stack/service-definition.ts';
import { startStreamFeed } from '#local/stream/feed.ts';
import { streamPosition } from '#local/stream/position.ts';

export interface StackStatus {
  readonly url: string;
  readonly dynamoDbEndpoint: string;
  readonly s3Endpoint: string;
  readonly lambdaEndpoint: string;
  /** `stack`, `dynamodb` (when started here) and one for each group of functions. */
  readonly pids: Readonly<Record<string, number>>;
  /** Who issues the tokens: part of every principal. */
  readonly issuer: string;
  /** What tools need to read the same tables by the same rules. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Stack {
  readonly status: StackStatus;
  readonly folder: RunFolder;
  readonly tablesMade: readonly string[];
  /** Settles with the reason when the stack can no longer serve. */
  readonly failed: Promise<Sentence>;
  stop(): Promise<void>;
}

/** A java that ends on Ctrl-C is no failure: the stop that follows comes within this, milliseconds. */
const STOP_FOLLOWS_MS = 300;

export interface StackStart {
  readonly options: Options;
  readonly key: SigningKey;
  readonly say: (line: string) => void;
  /** Gives up whatever is waited for while starting. */
  readonly signal: AbortSignal;
}

type Stops = (() => Promise<void> | void)[];

/** @throws Sentence when a part does not start, or the signal's reason; the others are stopped then */
export async function startStack(start: StackStart): Promise<Stack> {
  const stops: Stops = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    return await compose(start, stops, stop);
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function compose(start: StackStart, stops: Stops, stop: () => Promise<void>): Promise<Stack> {
  const { options, key, say } = start;
  const { functions } = readServiceDefinition(options.serviceFile);
  // The port first: the commonest mistake is told before java is started.
  const gateway = await startGateway({ ...options, functions, key });
  stops.push(gateway.close);
  const folder = openRunFolder(options.dataFolder, {
    port: gateway.port,
    isChosen: options.port !== 0,
  });
  stops.push(folder.close);

  const credentials = credentialsFrom(process.env);
  const local = await ownDynamoDb(start, folder, stops);
  const endpoint = options.dynamoDbEndpoint ?? local?.endpoint ?? '';
  const connection = { endpoint, region: regionFrom(process.env), credentials };
  if (!local) {
    const { signal } = start;
    await untilDynamoDbAnswers(connection, { limitS: options.dynamoDbWaitS, say, signal });
  }
  const dynamoDb = new DynamoDBClient(connection);
  const streams = new DynamoDBStreamsClient(connection);
  stops.push(() => {
    dynamoDb.destroy();
    streams.destroy();
  });
  const [tablesMade, s3, lambda] = await Promise.all([
    makeTables(dynamoDb).catch((failure) => {
      throw new Sentence(`The tables cannot be made at ${endpoint}: ${failure.message}`);
    }),
    startS3Server({ folder: folder.s3Folder, bucket: EXPORTS_BUCKET, ...credentials }),
    startInvokeApi(functions),
  ]);
  stops.push(s3.close, lambda.close);

  const own = { ...process.env, BASE_PATH: options.basePath };
  const environment = functionsEnvironment(own, {
    dynamoDb: endpoint,
    s3: s3.endpoint,
    lambda: lambda.endpoint,
    runJobFunction: functions.find(({ key }) => key === 'runJob')?.name ?? 'runJob',
  });
  const create = functions.find(({ key }) => key === 'createExportJob');
  const status = {
    issuer: LOCAL_ISSUER,
    environment: toldToTools({ ...create?.environment, ...environment }),
    url: gateway.url,
    dynamoDbEndpoint: endpoint,
    s3Endpoint: s3.endpoint,
    lambdaEndpoint: lambda.endpoint,
    pids: { stack: process.pid, ...(local && { dynamodb: local.pid }) } as Record<string, number>,
  };
  const pool = await startFunctionPool({
    functions,
    environment,
    logFd: folder.logFd,
    say,
    onPid(group, pid) {
      status.pids[group] = pid;
      folder.writeStatus(status);
    },
  });
  stops.push(pool.stop);

  const letters = deadLetters(folder.deadLettersFile);
  const later = asyncInvocations(pool.invoke, letters, say);
  lambda.serve(pool.invoke, later);
  gateway.serve(pool.invoke);
  const schedules = startSchedules(functions, pool.invoke, say);
  const position = streamPosition(folder.positionFile);
  const feeds = functions.flatMap((definition) =>
    definition.streams.map((source) =>
      startStreamFeed({
        dynamoDb,
        streams,
        definition,
        source,
        position,
        invoke: pool.invoke,
        letters,
        say,
      }),
    ),
  );
  let stopped = false;
  return {
    status,
    folder,
    tablesMade,
    failed: failureOf(local, () => stopped),
    async stop() {
      stopped = true;
      schedules.stop();
      later.stop();
      await stopServing(gateway, pool, feeds);
      await stop();
    },
  };
}

async function ownDynamoDb(
  { options, signal }: StackStart,
  folder: RunFolder,
  stops: Stops,
): Promise<DynamoDbLocal | undefined> {
  if (options.dynamoDbEndpoint !== undefined) return undefined;
  const local = await startDynamoDbLocal(folder.tablesFolder, signal);
  stops.push(local.stop);
  return local;
}

/** Requests under way may finish (the gateway waits a second for them); then the functions end. */
async function stopServing(
  gateway: { close(): Promise<void> },
  pool: FunctionPool,
  feeds: readonly { stop(): Promise<void> }[],
): Promise<void> {
  const fed = feeds.map((feed) => feed.stop());
  await gateway.close();
  // Ends invocations that would outlast the stop, and with them the feeds that wait for one.
  await pool.stop();
  await Promise.all(fed);
}

function failureOf(local: DynamoDbLocal | undefined, stopped: () => boolean): Promise<Sentence> {
  return new Promise((fail) => {
    local?.exited.then(() =>
      setTimeout(() => {
        if (!stopped()) fail(new Sentence(`DynamoDB Local (pid ${local.pid}) has ended.`));
      }, STOP_FOLLOWS_MS),
    );
  });
}
