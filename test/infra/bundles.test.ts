import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionsEnvironment } from '#local/lambda/functions-environment.ts';
import { readServiceDefinition } from '#local/stack/service-definition.ts';
import { copyRepository } from '#test/support/packaged-service.ts';

const run = promisify(execFile);

describe('the bundles', () => {
  let folder: string;
  beforeAll(async () => {
    folder = copyRepository();
    await run(process.execPath, [join(folder, 'infra/build.ts')], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are one for each function, and the render thread next to run-job', () => {
    const { functions } = readServiceDefinition(join(folder, 'serverless.yml'));
    const expected = functions.map(({ file }) => file.replace(/^.*\//, '').replace(/ts$/, 'mjs'));

    const built = readdirSync(join(folder, '.build/functions/handlers')).sort();

    expect(built).toEqual([...expected, 'render-article-thread.mjs'].sort());
  });

  it('initialise as Lambda would load them, each in a process of its own', async () => {
    const { functions } = readServiceDefinition(join(folder, 'serverless.yml'));
    const [first] = functions;
    const env = {
      ...first?.environment,
      ...functionsEnvironment(
        {},
        {
          dynamoDb: 'http://127.0.0.1:1',
          s3: 'http://127.0.0.1:1',
          lambda: 'http://127.0.0.1:1',
          runJobFunction: 'f',
        },
      ),
      STAGE: 'prod',
    };

    for (const { file, exportName } of functions) {
      const name = file.replace(/^.*\//, '').replace(/ts$/, 'mjs');
      const url = pathToFileURL(join(folder, '.build/functions/handlers', name)).href;
      const script = `const m = await import(${JSON.stringify(url)}); console.log(typeof m.${exportName}); process.exit()`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
        env,
      });
      expect(`${name}: ${stdout.trim()}`).toBe(`${name}: function`);
    }
  });
});
