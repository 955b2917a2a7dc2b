// What is deployed has no packages beside it: the bundle carries Swagger UI's files in itself.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { copyRepository } from '#test/support/packaged-service.ts';

const run = promisify(execFile);

it('the bundle of the docs, alone in a folder, answers the page and every asset', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-docs-bundle-'));
  const outfile = join(folder, 'read-docs.mjs');
  const repository = copyRepository();
  await run(process.execPath, [join(repository, 'infra/build.ts')], { cwd: repository });
  cpSync(join(repository, '.build/functions/handlers/read-docs.mjs'), outfile);
  rmSync(repository, { recursive: true, force: true });
  const script = `
    const { handler } = await import(${JSON.stringify(outfile)});
    const context = { awsRequestId: 'r', getRemainingTimeInMillis: () => 1000 };
    const get = (routeKey, pathParameters) =>
      handler({ version: '2.0', routeKey, pathParameters, requestContext: {} }, context);
    const sizes = {};
    for (const asset of ['page.css', 'page.js', 'swagger-ui.css', 'swagger-ui.js']) {
      sizes[asset] = (await get('GET /docs/{asset}', { asset })).body.length;
    }
    const statuses = [];
    for (const route of ['GET /docs', 'GET /openapi.json']) statuses.push((await get(route)).statusCode);
    process.stderr.write(JSON.stringify({ statuses, sizes }));
    process.exit();
  `;
  const { stderr } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env: { ...TABLES, STAGE: 'prod', EXPORTS_BUCKET: 'exports', RUN_JOB_FUNCTION: 'run-job' },
  });
  const bundleBytes = statSync(outfile).size;
  rmSync(folder, { recursive: true, force: true });

  const packaged = (name: string) =>
    readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)), 'utf8').length;
  const { statuses, sizes } = JSON.parse(stderr);
  expect(statuses).toEqual([200, 200]);
  expect(sizes['swagger-ui.css']).toBe(packaged('swagger-ui.css'));
  expect(sizes['swagger-ui.js']).toBe(packaged('swagger-ui-bundle.js'));
  expect(bundleBytes).toBeLessThan(5_000_000);
});

const TABLES = {
  TABLE_IDEMPOTENCY_KEYS: 'IdempotencyKeys',
  TABLE_EXPORT_JOBS: 'ExportJobs',
  TABLE_BUSINESS_KEYS: 'BusinessKeys',
  TABLE_ARTICLES: 'Articles',
  TABLE_NOTIFICATIONS: 'Notifications',
};
