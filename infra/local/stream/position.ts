// Where the stream feed stands in each shard, kept in a file over restarts (or in memory only).
// Written after a batch is done, whole or not at all: a crash repeats a batch, never skips one.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { Sentence } from '#local/stack/sentence.ts';

export interface StreamPosition {
  after(shard: string): string | undefined;
  isFinished(shard: string): boolean;
  save(shard: string, sequenceNumber: string): void;
  finish(shard: string): void;
}

const fileSchema = z.record(
  z.string(),
  z.object({ after: z.string().optional(), finished: z.boolean().optional() }),
);

/** @param file undefined: every start reads the stream from its beginning */
export function streamPosition(file: string | undefined): StreamPosition {
  const shards = file === undefined ? {} : read(file);
  const change = (shard: string, to: { after?: string; finished?: boolean }) => {
    shards[shard] = { ...shards[shard], ...to };
    if (file === undefined) return;
    writeFileSync(`${file}.new`, JSON.stringify(shards, null, 2));
    renameSync(`${file}.new`, file);
  };
  return {
    after: (shard) => shards[shard]?.after,
    isFinished: (shard) => shards[shard]?.finished === true,
    save: (shard, after) => change(shard, { after }),
    finish: (shard) => change(shard, { finished: true }),
  };
}

function read(file: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Sentence(
      `${file} does not hold a stream position: remove it to read from the start.`,
    );
  }
}
