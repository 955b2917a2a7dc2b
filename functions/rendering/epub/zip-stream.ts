// A ZIP archive as a stream of bytes, entry by entry: no more than one entry waits while the reader of the
// stream is slow. All entries carry one time, so that the same content gives the same bytes.

import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export type ZipEntry = {
  readonly path: string;
  readonly text: string;
  /** Stored as it is: what a reader must find at a fixed place. */
  readonly isStored?: true;
};

export async function* zipStream(
  entries: AsyncIterable<ZipEntry>,
  modifiedAtMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const written = addAll({ zip, output }, entries, modifiedAtMs);
  // Its failure is thrown below, by the stream that it destroys.
  written.catch((error: Error) => output.destroy(error));
  try {
    for await (const bytes of output) yield bytes as Uint8Array;
    await written;
  } finally {
    output.destroy();
  }
}

async function addAll(
  { zip, output }: { readonly zip: ZipFile; readonly output: Readable },
  entries: AsyncIterable<ZipEntry>,
  modifiedAtMs: number,
): Promise<void> {
  let current: Readable | undefined;
  // When nobody reads the archive any more, the entry under way ends, and with it the wait below.
  output.once('close', () => current?.destroy());
  for await (const { path, text, isStored } of entries) {
    if (output.destroyed) return;
    const bytes = Buffer.from(text, 'utf8');
    // The extra field for exact times must not stand before the content of the first, stored entry.
    const options = { mtime: new Date(modifiedAtMs), forceDosTimestamp: true };
    if (isStored) {
      zip.addBuffer(bytes, path, { ...options, compress: false });
      continue;
    }
    current = Readable.from([bytes]);
    zip.addReadStream(current, path, { ...options, size: bytes.length });
    await finished(current);
  }
  zip.end();
}
