// The Markdown of an article, from a file or from standard input. Must never change what it was given:
// bytes that are no UTF-8 are refused from either.

import { createReadStream } from 'node:fs';
import { LocalError, messageOf } from '#client/cli/exit-codes.ts';
import { StoppedError } from '#client/errors.ts';
import { ARTICLE_MARKDOWN_BYTES_MAX } from '#contract/limits.ts';

/** @throws LocalError, StoppedError */
export async function readMarkdown(file: string, signal: AbortSignal): Promise<string> {
  const name = file === '-' ? 'Standard input' : file;
  let bytes: Uint8Array;
  try {
    const stream = file === '-' ? process.stdin : createReadStream(file);
    bytes = await readBounded(stream, signal);
  } catch (cause) {
    if (signal.aborted) throw new StoppedError('aborted', `${name} was not read to its end.`);
    throw new LocalError(`${name} cannot be read: ${messageOf(cause)}`, { cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new LocalError(`${name} cannot be sent: it is no UTF-8.`, { cause });
  }
}

async function readBounded(
  stream: NodeJS.ReadableStream & { destroy: (error?: Error) => unknown },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const end = () => void stream.destroy(new Error('interrupted'));
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += part.byteLength;
      if (bytes > ARTICLE_MARKDOWN_BYTES_MAX) {
        throw new Error(`it has more than the ${ARTICLE_MARKDOWN_BYTES_MAX} bytes of an article`);
      }
      chunks.push(part);
    }
  } finally {
    signal.removeEventListener('abort', end);
  }
  return Buffer.concat(chunks);
}
