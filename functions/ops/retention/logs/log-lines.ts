// Lines of logs, from files or standard input, one at a time: memory does not grow with their number.
// Must never hold more than one chunk and one bounded line; what is longer is no log line of ours and is
// handed on as such, to be counted as unreadable.

import { createReadStream, statSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Characters of one line. CloudWatch ends a log event at 1 MB; ours end far below. */
const LINE_CHARACTERS_MAX = 64 * 1024;
/** Stands for a line that was too long to be kept. */
export const OVERLONG_LINE = '(a line too long)';
const CHUNK_BYTES = 256 * 1024;

export type ReadBytes = (bytes: number) => void;

/** Bytes of all files together, for progress; undefined when standard input is among them. */
export function bytesOfFiles(files: readonly string[]): number | undefined {
  if (files.length === 0 || files.includes('-')) return undefined;
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

/**
 * @param files paths; `-` or none at all is standard input; names that end in `.gz` are unpacked
 * @param readBytes told of every chunk as it stands on disk
 */
export async function* logLines(
  files: readonly string[],
  readBytes: ReadBytes,
): AsyncGenerator<readonly string[]> {
  for (const file of files.length === 0 ? ['-'] : files) {
    const raw =
      file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
    yield* linesOf(
      file.endsWith('.gz') ? unpacked(counted(raw, readBytes)) : counted(raw, readBytes),
    );
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, readBytes: ReadBytes) {
  for await (const chunk of chunks) {
    readBytes(chunk.length);
    yield chunk;
  }
}

function unpacked(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  // A fault of either end reaches whoever reads, as the error of the iteration.
  return pipeline(Readable.from(chunks, { objectMode: false }), createGunzip(), () => undefined);
}

/** Batches of whole lines, a batch a chunk: a million awaits would cost more than the reading. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let overlong = false;
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (overlong && lines.length > 0) {
      lines[0] = OVERLONG_LINE;
      overlong = false;
    }
    if (rest.length > LINE_CHARACTERS_MAX) {
      rest = '';
      overlong = true;
    }
    yield lines;
  }
  if (rest !== '' || overlong) yield [overlong ? OVERLONG_LINE : rest];
}
