// Writes a file to this machine while it is rendered, and hashes it on the way: a finished file can then
// be stored in one request with its length. Nothing is left behind when rendering fails.

import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpooledFile } from '#export-jobs/run-port.ts';

export async function spoolFile(content: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  const path = join(folder, 'file');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const file = await open(path, 'wx');
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const piece of content) {
        hash.update(piece);
        bytes += piece.byteLength;
        await file.writeFile(piece);
      }
    } finally {
      await file.close();
    }
    return { path, bytes, sha256: hash.digest('hex'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
