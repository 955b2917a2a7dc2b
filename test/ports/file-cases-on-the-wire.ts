// What only a bucket's own answers can show of files: which of its ways to say no is an absence, and what
// becomes of a put that breaks off. The local S3 server stands behind a gate that answers in its place.

import { expect } from 'vitest';
import { type GateAnswer, s3Error } from '#test/ports/bucket-gate.ts';
import type { S3Bench } from '#test/ports/file-bench.ts';
import type { Cases } from '#test/ports/port-suite.ts';
import { NOW } from '#test/ports/sample-values.ts';

/** More than the sockets on the way take in, bytes. */
const LARGE = 16_000_000;
const PATIENCE_MS = 5_000;
const HASTE_MS = 100;

const answersTo = (on: S3Bench, method: string, answer: GateAnswer) =>
  on.gate.rule((asked) => (asked === method ? answer : undefined));

const FAILED = { kind: 'failed' };
const NONE = { kind: 'none' };
const FOUND = { kind: 'found', value: true };
const ANSWERS: readonly (readonly [string, GateAnswer, object])[] = [
  ['no such key', s3Error(404, 'NoSuchKey'), NONE],
  ['no such bucket', s3Error(404, 'NoSuchBucket'), FAILED],
  ['a bare 404', { status: 404 }, FAILED],
  ['a 404 of something else', { status: 404, body: '<html>Not Found</html>' }, FAILED],
  ['a 404 that is no XML', { status: 404, body: 'NoSuchKey' }, FAILED],
  ['access denied', s3Error(403, 'AccessDenied'), FAILED],
  ['a server error', s3Error(500, 'InternalError'), FAILED],
  ['slow down', s3Error(503, 'SlowDown'), FAILED],
  ['a file of no bytes, of which no range can be', s3Error(416, 'InvalidRange'), FOUND],
];

export const FILE_CASES_ON_THE_WIRE: Cases<S3Bench> = {
  '1. stores a file although its first puts fail or are answered by errors': async (on) => {
    const file = await on.file('text');
    let puts = 0;
    on.gate.rule((method) => {
      if (method !== 'PUT') return undefined;
      puts += 1;
      return puts < 3 ? s3Error(503, 'SlowDown') : undefined;
    });

    await on.files.putFile(file, new AbortController().signal);

    expect(puts).toBe(3);
    const url = await on.files.downloadUrl(file.key, 600, NOW);
    expect((await on.read(url))?.bytes.toString()).toBe('text');
  },

  '1. throws when it is told to stop halfway, and stores nothing': async (on) => {
    const file = await on.file('x'.repeat(LARGE));
    const stop = new AbortController();
    answersTo(on, 'PUT', 'silence');
    const asked = on.gate.nextAsked();

    const put = on.files.putFile(file, stop.signal);
    await asked;
    stop.abort();

    await expect(put).rejects.toThrow();
    on.mend();
    expect(await on.files.fileExists(file.key, PATIENCE_MS)).toEqual(NONE);
  },

  '3. says none by NoSuchKey, and by no other answer': async (on) => {
    const { key } = await on.file('text');
    for (const [name, answer, expected] of ANSWERS) {
      answersTo(on, 'GET', answer);

      expect([name, await on.files.fileExists(key, PATIENCE_MS)]).toEqual([name, expected]);
    }
  },

  '3. says failed when nothing answers within its time': async (on) => {
    const { key } = await on.file('text');
    answersTo(on, 'GET', 'silence');

    expect(await on.files.fileExists(key, HASTE_MS)).toEqual(FAILED);
  },

  '3. says failed when the bucket cannot be reached': async (on) => {
    const { key } = await on.file('text');
    await on.gate.close();

    expect(await on.files.fileExists(key, PATIENCE_MS)).toEqual(FAILED);
  },
};
