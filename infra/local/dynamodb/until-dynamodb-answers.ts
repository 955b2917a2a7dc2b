// Waits for a DynamoDB that somebody else starts: one that is not up yet, or hangs up while it starts, is
// no failure until the wait is over. Says once what it waits for. Any answer of DynamoDB's own ends the
// wait, a refusal too: what it means is for the first real call to tell.

import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { Sentence } from '#local/stack/sentence.ts';

export interface Wait {
  readonly limitS: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

type Connection = ConstructorParameters<typeof DynamoDBClient>[0] & { readonly endpoint: string };

const POLL_MS = 250;
/** One question: a port that is open and silent must not use up the wait unseen. */
const TRY_LIMIT_MS = 2_000;

/** @throws Sentence when it does not answer in time; the signal's reason when it is aborted */
export async function untilDynamoDbAnswers(connection: Connection, wait: Wait): Promise<void> {
  const { limitS, say, signal } = wait;
  const giveUpAtMs = performance.now() + limitS * 1000;
  const client = new DynamoDBClient({ ...connection, maxAttempts: 1 });
  try {
    for (let tries = 1; ; tries += 1) {
      const silence = await silenceOf(client, signal);
      if (silence === undefined) return;
      signal.throwIfAborted();
      if (performance.now() >= giveUpAtMs) {
        throw new Sentence(
          `DynamoDB at ${connection.endpoint} did not answer within ${limitS} s (${silence}): start it, name another by DYNAMODB_ENDPOINT, or leave that unset.`,
        );
      }
      if (tries === 1) {
        say(`waiting for DynamoDB at ${connection.endpoint}, up to ${limitS} s (${silence})`);
      }
      await pause(POLL_MS, undefined, { signal });
    }
  } finally {
    client.destroy();
  }
}

/** Why there was no answer; undefined when there was one. */
async function silenceOf(client: DynamoDBClient, signal: AbortSignal): Promise<string | undefined> {
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(TRY_LIMIT_MS)]);
  try {
    await client.send(new ListTablesCommand({ Limit: 1 }), { abortSignal });
    return undefined;
  } catch (failure) {
    if (!(failure instanceof Error)) return String(failure);
    const status = statusOf(failure);
    if (status !== undefined && status < 500) return undefined;
    if (status !== undefined) return `it answers ${status}`;
    return 'code' in failure ? String(failure.code) : failure.name;
  }
}

/** The status of an answer that is an error; a parse failure of nonsense has one, a hang-up has none. */
function statusOf(failure: Error): number | undefined {
  if (!('$metadata' in failure)) return undefined;
  const metadata: unknown = failure.$metadata;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  return 'httpStatusCode' in metadata && typeof metadata.httpStatusCode === 'number'
    ? metadata.httpStatusCode
    : undefined;
}
