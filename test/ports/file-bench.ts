// What a case of the file port's suite gets: the port, a file on this machine, faults of the bucket, and a
// reader that knows nothing but a URL. On S3 (the local server, behind a gate) and in memory.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { FilePort, FileToPut } from '#export-jobs/file-port.ts';
import { startS3Server } from '#local/files/s3-server.ts';
import { createFileStore, createS3Client } from '#store/file-store.ts';
import { type BucketGate, startBucketGate } from '#test/ports/bucket-gate.ts';
import { named } from '#test/ports/sample-values.ts';
import { type ReadFile, simulatedFiles } from '#test/support/simulated/files.ts';

export type FileBench = {
  readonly files: FilePort;
  /** A file of this machine, under a key of its own. */
  readonly file: (content: string) => Promise<FileToPut>;
  /** From now on no put reaches the bucket, until `mend`. */
  readonly failPuts: () => void;
  /** From now on the bucket answers reads by what proves nothing, until `mend`. */
  readonly emptyReads: () => void;
  readonly mend: () => void;
  /** What a URL leads to now; undefined where it leads to nothing. */
  readonly read: (url: string) => Promise<ReadFile | undefined>;
  readonly close: () => Promise<void>;
};
export type S3Bench = FileBench & { readonly gate: BucketGate };

const BUCKET = 'exports';
const KEYS = { accessKeyId: 'file-port', secretAccessKey: 'file-port-secret' };

export async function openS3Bench(): Promise<S3Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'file-port-'));
  const server = await startS3Server({ folder: join(folder, 's3'), bucket: BUCKET, ...KEYS });
  const gate = await startBucketGate(server.endpoint);
  stubConnection(gate.endpoint);
  const client = createS3Client({ forcePathStyle: true });
  return {
    gate,
    files: createFileStore(client, BUCKET),
    file: (content) => fileIn(folder, content),
    failPuts: () => gate.rule((method) => (method === 'PUT' ? { status: 503 } : undefined)),
    emptyReads: () => gate.rule((method) => (method === 'GET' ? { status: 404 } : undefined)),
    mend: () => gate.rule(() => undefined),
    async read(url) {
      const response = await fetch(url);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!response.ok) return undefined;
      const { headers } = response;
      const contentType = headers.get('content-type') ?? '';
      return { bytes, contentType, disposition: headers.get('content-disposition') ?? '' };
    },
    async close() {
      client.destroy();
      await gate.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** As functions find S3: by their environment. */
function stubConnection(endpoint: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey);
}

export async function openMemoryBench(): Promise<FileBench> {
  const folder = await mkdtemp(join(tmpdir(), 'file-port-'));
  let [putFails, readIsEmpty] = [false, false];
  const files = simulatedFiles({ putFails: () => putFails, readIsEmpty: () => readIsEmpty });
  return {
    files,
    file: (content) => fileIn(folder, content),
    failPuts() {
      putFails = true;
    },
    emptyReads() {
      readIsEmpty = true;
    },
    mend() {
      [putFails, readIsEmpty] = [false, false];
    },
    read: async (url) => files.read(url, Date.now()),
    close: () => rm(folder, { recursive: true }),
  };
}

async function fileIn(folder: string, content: string): Promise<FileToPut> {
  const key = `exports/owner/${named('file')}.txt`;
  const path = join(folder, named('spooled'));
  await writeFile(path, content);
  const disposition = 'attachment; filename=export.txt';
  const contentType = 'text/plain; charset=utf-8';
  return { key, path, bytes: Buffer.byteLength(content), contentType, disposition };
}
