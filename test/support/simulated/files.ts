// Files in memory: whole or not at all, read by a URL that ends. A key that is given twice with other bytes
// is a broken promise of the caller, and throws.

import { readFile } from 'node:fs/promises';
import type { FilePort, FileToPut } from '#export-jobs/file-port.ts';

export type StoredFiles = FilePort & {
  readonly stored: ReadonlyMap<string, Buffer>;
  /** What a reader gets at an instant, by a URL that this store gave; undefined once the URL has ended. */
  readonly read: (url: string, atMs: number) => ReadFile | undefined;
};
export type ReadFile = Pick<FileToPut, 'contentType' | 'disposition'> & { readonly bytes: Buffer };

/** What happens on the way, asked each time. */
export type FileJourneys = {
  readonly putFails: () => boolean;
  readonly readIsEmpty: () => boolean;
};
const CALM: FileJourneys = { putFails: () => false, readIsEmpty: () => false };

export function simulatedFiles({ putFails, readIsEmpty }: FileJourneys = CALM): StoredFiles {
  const stored = new Map<string, Buffer>();
  const heads = new Map<string, Omit<ReadFile, 'bytes'>>();
  return {
    stored,
    async putFile({ key, path, contentType, disposition }, signal) {
      signal.throwIfAborted();
      const bytes = await readFile(path);
      if (putFails()) throw new Error('the bucket does not answer');
      const before = stored.get(key);
      if (before && !before.equals(bytes)) throw new Error(`${key} was overwritten`);
      stored.set(key, bytes);
      heads.set(key, { contentType, disposition });
    },
    async fileExists(key) {
      if (readIsEmpty()) return { kind: 'failed' };
      return stored.has(key) ? { kind: 'found', value: true } : { kind: 'none' };
    },
    downloadUrl: async (key, expiresInSeconds, nowMs) =>
      `memory:${encodeURIComponent(key)}?until=${nowMs + expiresInSeconds * 1000}`,
    read(url, atMs) {
      const { pathname, searchParams } = new URL(url);
      const key = decodeURIComponent(pathname);
      const [bytes, head] = [stored.get(key), heads.get(key)];
      const over = atMs >= Number(searchParams.get('until'));
      return bytes && head && !over ? { ...head, bytes } : undefined;
    },
  };
}
