// The client has plain interfaces of its own; the compiler says whether they are the service's.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AGREEMENT = join(ROOT, 'test/client/contract-agreement.ts');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

let folder: string;
beforeEach(() => {
  // In the repository, since room imports are looked up from the file that has them.
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.build/agreement-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function compile(source: string): Promise<string> {
  const file = join(folder, 'agreement.ts');
  writeFileSync(file, source);
  const config = { extends: join(ROOT, 'tsconfig.json'), files: [file], include: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return promisify(execFile)(process.execPath, [TSC, '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

it("the client's interfaces are the service's schemas", async () => {
  expect(await compile(readFileSync(AGREEMENT, 'utf8'))).toBe('');
});

it('an interface that lacks an optional member does not agree', async () => {
  const source = readFileSync(AGREEMENT, 'utf8').replace(
    'Same<CreateExportJobParams,',
    "Same<Omit<CreateExportJobParams, 'sourceBatchId'>,",
  );

  expect(await compile(source)).toContain('error TS2322');
});
