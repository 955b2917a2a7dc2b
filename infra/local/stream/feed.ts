// Lambda's event source mapping for DynamoDB streams: reads each shard from its beginning (or from
// the saved position), filters, and hands batches to the function, at least once and in order.
// Children of a shard wait for their parent. DynamoDB being away is waited out, never fatal.

import { setTimeout as pause } from 'node:timers/promises';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import type { DeadLetters } from '#local/lambda/async-invocations.ts';
import type { Invoke } from '#local/lambda/function-pool.ts';
import type { FunctionDefinition, StreamSource } from '#local/stack/service-definition.ts';
import { deliverBatch, type StreamRecord } from '#local/stream/batch.ts';
import { passesFilter } from '#local/stream/event-filter.ts';
import type { StreamPosition } from '#local/stream/position.ts';
import { toStreamRecord } from '#local/stream/record.ts';

/** Between two looks at a shard that had nothing new, milliseconds. */
const IDLE_MS = 150;
/** Between two looks for new shards. DynamoDB Local begins one every few hours. */
const SHARDS_MS = 5_000;
const TROUBLE_MS = 500;
const RETRY_MS = { first: 100, longest: 5_000 };

export interface StreamFeedOptions {
  readonly dynamoDb: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  readonly definition: FunctionDefinition;
  readonly source: StreamSource;
  readonly position: StreamPosition;
  readonly invoke: Invoke;
  readonly letters: DeadLetters;
  readonly say: (line: string) => void;
}

type ShardOfStream = { readonly streamArn: string; readonly id: string };

export function startStreamFeed(options: StreamFeedOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = feed(options, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

async function feed(options: StreamFeedOptions, signal: AbortSignal): Promise<void> {
  const readers = new Map<string, Promise<void>>();
  let streamArn: string | undefined;
  let inTrouble = false;
  while (!signal.aborted) {
    try {
      streamArn ??= await findStream(options);
      const shards = await listShards(options.streams, streamArn);
      for (const id of readable(shards, options.position)) {
        if (!readers.has(id)) readers.set(id, readShard(options, { streamArn, id }, signal));
      }
      if (inTrouble) options.say(`stream of ${options.source.table}: reading again`);
      inTrouble = false;
      await wait(SHARDS_MS, signal);
    } catch (failure) {
      if (!inTrouble && !signal.aborted) {
        options.say(`stream of ${options.source.table}: waiting for DynamoDB (${nameOf(failure)})`);
      }
      inTrouble = true;
      await wait(TROUBLE_MS, signal);
    }
  }
  await Promise.all(readers.values());
}

/** Shards that are not finished, and whose parent is: records of one key come in order. */
function readable(shards: readonly Shard[], position: StreamPosition): string[] {
  const present = new Set(shards.map((shard) => shard.ShardId));
  return shards.flatMap(({ ShardId: id = '', ParentShardId: parent }) => {
    const waits = parent !== undefined && present.has(parent) && !position.isFinished(parent);
    return waits || position.isFinished(id) ? [] : [id];
  });
}

async function readShard(
  options: StreamFeedOptions,
  shard: ShardOfStream,
  signal: AbortSignal,
): Promise<void> {
  const { streamArn, id } = shard;
  let iterator: string | undefined;
  while (!signal.aborted) {
    try {
      iterator ??= await iteratorFor(options, shard);
      const page = await options.streams.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: options.source.batchSize }),
        { abortSignal: signal },
      );
      const records = (page.Records ?? []).map((record) => toStreamRecord(record, streamArn));
      await handOver(options, { id, records }, signal);
      if (signal.aborted) return;
      iterator = page.NextShardIterator;
      if (iterator === undefined) return options.position.finish(id);
      if (records.length === 0) await wait(IDLE_MS, signal);
    } catch {
      // An iterator that is too old, or DynamoDB away: begin again after what is done.
      iterator = undefined;
      await wait(TROUBLE_MS, signal);
    }
  }
}

async function handOver(
  { definition, source, position, invoke, letters, say }: StreamFeedOptions,
  { id, records }: { readonly id: string; readonly records: readonly StreamRecord[] },
  signal: AbortSignal,
): Promise<void> {
  const passing = records.filter(({ event }) => passesFilter(event, source.filterPatterns));
  await deliverBatch(passing, source, {
    invoke: (batch) => invoke(definition, { Records: batch.map(({ event }) => event) }),
    checkpoint: (sequenceNumber) => position.save(id, sequenceNumber),
    discard(batch, reason) {
      // As Lambda's own: where the records are, not what they say.
      const [first, last] = [batch[0]?.sequenceNumber, batch.at(-1)?.sequenceNumber];
      letters.add({
        function: definition.name,
        reason,
        shard: id,
        count: batch.length,
        first,
        last,
      });
      say(
        `${definition.name} was not given ${batch.length} records (${reason}): see ${letters.file}`,
      );
    },
    backoff: (retry) => wait(Math.min(RETRY_MS.first * 2 ** (retry - 1), RETRY_MS.longest), signal),
    nowMs: () => Date.now(),
    stopped: () => signal.aborted,
  });
  // Records that the filter left out are done too.
  const last = records.at(-1);
  if (last !== undefined && !signal.aborted) position.save(id, last.sequenceNumber);
}

async function findStream({ dynamoDb, source }: StreamFeedOptions): Promise<string> {
  const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName: source.table }));
  if (Table?.LatestStreamArn === undefined) throw new Error(`${source.table} has no stream`);
  return Table.LatestStreamArn;
}

async function listShards(streams: DynamoDBStreamsClient, streamArn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let after: string | undefined;
  do {
    const { StreamDescription: page } = await streams.send(
      new DescribeStreamCommand({
        StreamArn: streamArn,
        ...(after && { ExclusiveStartShardId: after }),
      }),
    );
    shards.push(...(page?.Shards ?? []));
    after = page?.LastEvaluatedShardId;
  } while (after !== undefined);
  return shards;
}

async function iteratorFor(
  { streams, position }: StreamFeedOptions,
  { streamArn: StreamArn, id: ShardId }: ShardOfStream,
): Promise<string | undefined> {
  const after = position.after(ShardId);
  const beginning = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
  if (after === undefined)
    return (await streams.send(new GetShardIteratorCommand(beginning))).ShardIterator;
  try {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        ...beginning,
        ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: after,
      }),
    );
    return ShardIterator;
  } catch (failure) {
    // The saved position is older than the 24 h that a stream keeps.
    if (nameOf(failure) !== 'TrimmedDataAccessException') throw failure;
    return (await streams.send(new GetShardIteratorCommand(beginning))).ShardIterator;
  }
}

/** Ends early, without an error, when the feed stops. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {});
}

function nameOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  return (failure as NodeJS.ErrnoException).code ?? failure.name;
}
