// The suite of the file port.

import { expect } from 'vitest';
import { plusMs } from '#idempotency/epoch.ts';
import type { FileBench } from '#test/ports/file-bench.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import { NOW } from '#test/ports/sample-values.ts';

const PATIENCE_MS = 5_000;
const LIFE_S = 600;

const never = () => new AbortController().signal;

async function content({ files, read }: FileBench, key: string): Promise<string | undefined> {
  return (await read(await files.downloadUrl(key, LIFE_S, NOW)))?.bytes.toString();
}

export const FILE_SUITE: PortSuite<FileBench> = {
  port: 'FilePort',
  cases: {
    '1. stores a file, and the same file again': async (on) => {
      const file = await on.file('Once, never twice: 一次。');

      await on.files.putFile(file, never());
      await on.files.putFile(file, never());

      expect(await on.files.fileExists(file.key, PATIENCE_MS)).toEqual({
        kind: 'found',
        value: true,
      });
      expect(await content(on, file.key)).toBe('Once, never twice: 一次。');
    },

    '1. throws and stores nothing when the bucket cannot be reached': async (on) => {
      const file = await on.file('text');
      on.failPuts();

      await expect(on.files.putFile(file, never())).rejects.toThrow();
      on.mend();

      expect(await on.files.fileExists(file.key, PATIENCE_MS)).toEqual({ kind: 'none' });
      await on.files.putFile(file, never());
      expect(await content(on, file.key)).toBe('text');
    },

    '1. throws and stores nothing once it is told to stop': async (on) => {
      const file = await on.file('text');

      await expect(on.files.putFile(file, AbortSignal.abort())).rejects.toThrow();

      expect(await on.files.fileExists(file.key, PATIENCE_MS)).toEqual({ kind: 'none' });
    },

    '1. throws and stores nothing when the file is not there': async (on) => {
      const file = await on.file('text');

      await expect(
        on.files.putFile({ ...file, path: `${file.path}-not-there` }, never()),
      ).rejects.toThrow();

      expect(await on.files.fileExists(file.key, PATIENCE_MS)).toEqual({ kind: 'none' });
    },

    '2. gives the bytes with their type and name': async (on) => {
      const file = await on.file('text');
      await on.files.putFile(file, never());

      const read = await on.read(await on.files.downloadUrl(file.key, LIFE_S, NOW));

      const { contentType, disposition } = file;
      expect(read).toEqual({ bytes: Buffer.from('text'), contentType, disposition });
    },

    '2. gives them until the URL has ended, and not after': async (on) => {
      const file = await on.file('text');
      await on.files.putFile(file, never());
      const madeAtMs = plusMs(NOW, -LIFE_S * 1_000);

      const ended = await on.read(await on.files.downloadUrl(file.key, LIFE_S - 1, madeAtMs));
      const lasting = await on.read(await on.files.downloadUrl(file.key, 2 * LIFE_S, madeAtMs));

      expect(ended).toBeUndefined();
      expect(lasting?.bytes.toString()).toBe('text');
    },

    '3. says none of a key that the bucket does not have': async (on) => {
      const { key } = await on.file('never put');

      expect(await on.files.fileExists(key, PATIENCE_MS)).toEqual({ kind: 'none' });
    },

    '3. says failed of an answer that proves nothing, the file there or not': async (on) => {
      const [file, absent] = [await on.file('text'), await on.file('never put')];
      await on.files.putFile(file, never());
      on.emptyReads();

      const answers = [
        await on.files.fileExists(file.key, PATIENCE_MS),
        await on.files.fileExists(absent.key, PATIENCE_MS),
      ];

      expect(answers).toEqual([{ kind: 'failed' }, { kind: 'failed' }]);
    },
  },
};
