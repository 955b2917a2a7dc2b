import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionsEnvironment } from '#local/lambda/functions-environment.ts';
import { readServiceDefinition } from '#local/stack/service-definition.ts';
import { copyRepository } from '#test/support/packaged-service.ts';

const run = promisify(execFile);

/** Of esbuild's metafile. */
type Output = { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> };

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

  it.each(['read-docs', 'get-capabilities', 'answer-unknown-route'])(
    'initialise %s without the name of any resource',
    async (name) => {
      const url = pathToFileURL(join(folder, `.build/functions/handlers/${name}.mjs`)).href;
      const script = `const { handler } = await import(${JSON.stringify(url)}); console.log(typeof handler); process.exit()`;

      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
        env: { STAGE: 'prod' },
      });

      expect(stdout.trim()).toBe('function');
    },
  );

  describe('carry only what their function uses:', () => {
    const bundled = new Map<string, readonly string[]>();
    beforeAll(() => {
      const { outputs } = JSON.parse(readFileSync(join(folder, '.build/meta.json'), 'utf8'));
      for (const [file, { inputs }] of Object.entries<Output>(outputs)) {
        const carried = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
        bundled.set(
          basename(file, '.mjs'),
          carried.map(([path]) => path),
        );
      }
    });
    const carrying = (part: RegExp) =>
      [...bundled]
        .filter(([, paths]) => paths.some((path) => part.test(path)))
        .map(([name]) => name);

    it('the AWS SDK is not in what anyone may call', () => {
      const without = [...bundled.keys()].filter(
        (name) => !carrying(/node_modules\/@(aws-sdk|smithy)\//).includes(name),
      );

      expect(without.sort()).toEqual(['answer-unknown-route', 'get-capabilities', 'read-docs']);
    });

    it('S3 is only where files are', () => {
      expect(carrying(/@aws-sdk\/(client-s3|s3-request-presigner)\//).sort()).toEqual([
        'get-export-file',
        'run-job',
      ]);
    });

    it('Lambda is called only by who hands over', () => {
      expect(carrying(/@aws-sdk\/client-lambda\//).sort()).toEqual([
        'hand-over-jobs',
        'sweep-jobs',
      ]);
    });

    it('tables are reached by no function that only hands over', () => {
      expect(carrying(/@aws-sdk\/client-dynamodb\//)).not.toContain('hand-over-jobs');
    });

    it('Markdown is parsed by nobody but the worker', () => {
      const parsers = /node_modules\/(micromark|mdast|remark|rehype|hast|unified|parse5)/;

      expect(carrying(parsers)).toEqual(['run-job']);
    });

    it('no function carries a calendar', () => {
      expect(carrying(/temporal/)).toEqual([]);
    });

    it('the description is carried by the docs alone', () => {
      expect(carrying(/zod-openapi/)).toEqual(['read-docs']);
    });
  });
});
