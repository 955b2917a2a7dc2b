// The files of exports. Guarantees of an adapter:
//  1. putFile stores the whole file under its key or fails; no key is ever given twice with other bytes.
//  2. A reader gets the bytes that were put, by a URL that ends by itself.
//  3. fileExists says `none` only where the bucket itself says that it has no such key.

import type { ReadResult } from '#idempotency/commit-port.ts';
import type { EpochMs } from '#idempotency/epoch.ts';

export type FileToPut = {
  readonly key: string;
  /** A file on this machine, complete. */
  readonly path: string;
  readonly bytes: number;
  readonly contentType: string;
  /** Content-Disposition, RFC 6266. */
  readonly disposition: string;
};

export type FilePort = {
  /** @throws when the file could not be stored; the caller may try again under the same key */
  readonly putFile: (file: FileToPut, signal: AbortSignal) => Promise<void>;
  readonly fileExists: (key: string, timeoutMs: number) => Promise<ReadResult<true>>;
  readonly downloadUrl: (key: string, expiresInSeconds: number, nowMs: EpochMs) => Promise<string>;
};
