// The key that signs and verifies local tokens: RS256, made at first use in the ignored .local/
// folder, the same for every command. Two commands at once never end with two keys: the file
// appears whole or not at all, and whoever comes second takes the first one's.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Sentence } from '#local/stack/sentence.ts';

export const LOCAL_FOLDER = fileURLToPath(new URL('../../../.local', import.meta.url));

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** @param folder elsewhere in tests */
export function loadSigningKey(folder = LOCAL_FOLDER): SigningKey {
  const file = join(folder, 'token-signing-key.pem');
  const pem = read(file) ?? make(folder, file);
  try {
    const privateKey = createPrivateKey(pem);
    return { privateKey, publicKey: createPublicKey(privateKey) };
  } catch {
    throw new Sentence(`${file} holds no private key: remove it and a new one is made.`);
  }
}

function make(folder: string, file: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const mine = `${file}.${process.pid}.${process.hrtime.bigint()}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(mine, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    try {
      // link, not rename: it refuses to replace the key of somebody who was faster.
      linkSync(mine, file);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
    } finally {
      rmSync(mine, { force: true });
    }
    return readFileSync(file, 'utf8');
  } catch (failure) {
    const code = (failure as NodeJS.ErrnoException).code;
    throw new Sentence(`The key for local tokens cannot be kept in ${folder} (${code}).`);
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Sentence(`${file} cannot be read (${(failure as NodeJS.ErrnoException).code}).`);
  }
}
