import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FIXTURE = fileURLToPath(new URL('closing-line-fixture', import.meta.url));
const REPORTER = fileURLToPath(new URL('closing-line-reporter.ts', import.meta.url));
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

describe('the closing line of a test run', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-once-closing-line-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(include: string[], globalSetup: string[] = []) {
    const config = join(folder, 'vitest.config.mjs');
    const test = { include, globalSetup, reporters: ['default', REPORTER] };
    writeFileSync(config, `export default ${JSON.stringify({ root: FIXTURE, test })};`);
    return new Promise<{ last: string | undefined; code: number }>((done) => {
      execFile(process.execPath, [VITEST, 'run', '--config', config], (failure, stdout) =>
        done({ last: stdout.trimEnd().split('\n').at(-1), code: Number(failure?.code ?? 0) }),
      );
    });
  }

  it('counts what passed and what was left out', async () => {
    expect(await run(['passes.case.ts'])).toEqual({
      last: 'tests: 1 passed, 0 failed, 1 skipped',
      code: 0,
    });
  });

  it('counts a failed test and a failed hook', async () => {
    expect(await run(['fails.case.ts'])).toEqual({
      last: 'tests: 0 passed, 2 failed, 1 skipped',
      code: 1,
    });
  });

  it('counts a file that cannot be loaded as failed', async () => {
    expect(await run(['does-not-load.case.ts'])).toEqual({
      last: 'tests: 0 passed, 1 failed, 0 skipped',
      code: 1,
    });
  });

  it('says that something failed when no test could even begin', async () => {
    expect(await run(['passes.case.ts'], [join(FIXTURE, 'setup-fails.ts')])).toEqual({
      last: 'tests: 0 passed, 1 failed, 0 skipped',
      code: 1,
    });
  });

  it('says that something failed when there is no test', async () => {
    expect((await run(['absent.case.ts'])).code).toBe(1);
  });
});
