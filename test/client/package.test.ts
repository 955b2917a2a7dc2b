// The packages as others get them: packed, installed into a fresh project, imported, type-checked under
// strict, run. Nothing is fetched.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClientPackage, buildCommandPackage } from '#client/build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let folder: string;
let project: string;
let packed: Map<string, { name: string; files: { path: string }[] }>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-once-package-'));
  project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
  packed = new Map();
  const archives: string[] = [];
  for (const built of [await buildClientPackage(folder), await buildCommandPackage(folder)]) {
    const { stdout } = await run('npm', ['pack', built, '--json', '--offline'], { cwd: folder });
    const [one] = Object.values(JSON.parse(stdout)) as {
      name: string;
      filename: string;
      files: { path: string }[];
    }[];
    if (one === undefined) throw new Error(`nothing was packed: ${stdout}`);
    packed.set(one.name, one);
    archives.push(join(folder, one.filename));
  }
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...flags, ...archives], { cwd: project });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesOf = (name: string) => packed.get(name)?.files.map(({ path }) => path) ?? [];

describe('the client package', () => {
  it('has an ES module, CommonJS, types, a licence and a README, and nothing to install with it', () => {
    const manifest = JSON.parse(
      readFileSync(join(project, 'node_modules/export-once-client/package.json'), 'utf8'),
    );

    expect(filesOf('export-once-client')).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'index.cjs',
        'index.d.cts',
        'index.d.ts',
        'index.js',
        'package.json',
      ]),
    );
    expect(
      filesOf('export-once-client').filter(
        (path) => !/\.(c?js|d\.c?ts|json|md)$|^LICENSE$/.test(path),
      ),
    ).toEqual([]);
    expect(manifest.dependencies).toBeUndefined();
  });

  it('imports nothing, not even of Node, and names no file of this repository', () => {
    const text = filesOf('export-once-client')
      .filter((path) => /\.(c?js|c?ts)$/.test(path))
      .map((path) => readFileSync(join(project, 'node_modules/export-once-client', path), 'utf8'))
      .join('\n');
    const imported = [
      ...text.matchAll(/(?:from|import\(|require\()\s*["']([^"'.][^"']*)["']/g),
    ].map(([, name]) => name);

    expect(imported.filter((name) => name !== 'export-once-client')).toEqual([]);
    expect(text).not.toMatch(/["']#/);
  });

  it('runs when it is imported', async () => {
    writeFileSync(
      join(project, 'main.js'),
      `import { createClient, isStoppedError, outcomeOf } from 'export-once-client';
       const client = createClient({ url: 'http://127.0.0.1:1', token: 't', fetch: async () => { throw new Error('sent'); } });
       const params = { articleIds: ['a'], format: 'text' };
       const error = await client.createExportJob(params, { onIdempotencyKey: () => Promise.reject(new Error('disk full')) }).catch((e) => e);
       console.log(isStoppedError(error), outcomeOf(error), error.cause.message);`,
    );

    const { stdout } = await run(process.execPath, ['main.js'], { cwd: project });

    expect(stdout).toBe('true not-executed disk full\n');
  });

  it('runs when it is required, and shares budgets and guards with the ES module', async () => {
    writeFileSync(
      join(project, 'main.cjs'),
      `const required = require('export-once-client');
       import('export-once-client').then(async (imported) => {
         let sent = 0;
         const fetch = async () => { sent += 1; throw new Error('reset'); };
         const clientOf = ({ createClient }) => createClient({ url: 'http://127.0.0.1:1', token: 't', fetch });
         const params = { articleIds: ['a'], format: 'text' };
         const error = await clientOf(required).createExportJob(params, { timeoutMs: 2000 }).catch((e) => e);
         console.log(required === imported, imported.isNoAnswerError(error));
         for (let calls = 0; calls < 3; calls += 1) await clientOf(required).getJob('j').catch(() => {});
         sent = 0;
         await clientOf(imported).getJob('j').catch(() => {});
         console.log(sent);
       });`,
    );

    const { stdout } = await run(process.execPath, ['main.cjs'], { cwd: project });

    // Ten tokens are gone by then, all of them by the other copy: a first attempt, and no retry.
    expect(stdout).toBe('false true\n1\n');
  });

  const PROGRAM = `
    import { createClient, isProblemError, type CreatedExportJob, type ExportJob } from 'export-once-client';
    const client = createClient({ url: 'http://127.0.0.1:1', token: async () => 't' });
    export async function go(signal: AbortSignal): Promise<ExportJob | string> {
      try {
        const { jobId }: CreatedExportJob = await client.createExportJob(
          { articleIds: ['a'], format: 'epub' },
          { signal, timeoutMs: 1000, onIdempotencyKey: async (key: string) => { key.trim(); } },
        );
        for await (const job of client.listJobs({ status: 'failed' })) console.log(job.error?.code);
        await client.downloadFile(jobId, new WritableStream<Uint8Array>());
        return await client.waitForJob(jobId);
      } catch (error) {
        return isProblemError(error) ? error.problem.code : 'other';
      }
    }`;
  const LIBRARIES = [
    [
      'the platform of a browser',
      { lib: ['es2022', 'dom', 'dom.iterable'], types: [] as string[] },
    ],
    ['the types of Node', { lib: ['es2023'], types: ['node'] }],
  ] as const;

  async function check(program: string, libraries: object, file = 'program.ts'): Promise<string> {
    const types = join(project, 'node_modules/@types');
    mkdirSync(types, { recursive: true });
    for (const [from, to] of [
      ['@types/node', join(types, 'node')],
      ['undici-types', join(project, 'node_modules/undici-types')],
    ] as const) {
      rmSync(to, { recursive: true, force: true });
      symlinkSync(join(ROOT, 'node_modules', from), to);
    }
    writeFileSync(join(project, file), program);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      ...libraries,
    };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: [file] }),
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    return run(process.execPath, [tsc, '-p', project]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  it.each(LIBRARIES)('type-checks under strict with %s', async (_, libraries) => {
    expect(await check(PROGRAM, libraries)).toBe('');
  });

  const KINDS = [
    ['CommonJS with node16', { module: 'node16' }, 'program.cts'],
    ['an ES module with node16', { module: 'node16' }, 'program.mts'],
    ['CommonJS with nodenext', { module: 'nodenext' }, 'program.cts'],
    ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }, 'program.ts'],
    ['CommonJS before a bundler', { module: 'preserve' }, 'program.cts'],
  ] as const;

  it.each(KINDS)('type-checks as %s', async (_, options, file) => {
    expect(await check(PROGRAM, { ...LIBRARIES[1][1], ...options }, file)).toBe('');
  });

  it('takes article IDs that nobody may change', async () => {
    const readonly = `${PROGRAM}
      const ids: readonly string[] = Object.freeze(['a']);
      const params = { articleIds: ['a', 'b'], format: 'text' } as const;
      void client.createExportJob({ articleIds: ids, format: 'html' });
      void client.createExportJob(params);`;

    expect(await check(readonly, LIBRARIES[1][1])).toBe('');
  });

  it('knows the codes of problems: a misspelt one does not compile', async () => {
    const comparing = (code: string) => `
      import { isProblemError, type ProblemCode } from 'export-once-client';
      export const isReused = (error: unknown) =>
        isProblemError(error) && error.problem.code === '${code}';
      export const known: ProblemCode = 'method-not-allowed';`;

    const [right, wrong] = [
      await check(comparing('idempotency-key-reused'), LIBRARIES[1][1]),
      await check(comparing('idempotency-key-resued'), LIBRARIES[1][1]),
    ];

    expect(right).toBe('');
    expect(wrong).toContain('error TS2367');
  });

  it('refuses a misspelt format at compile time', async () => {
    const wrong = PROGRAM.replace("'epub'", "'pdf'");

    expect(await check(wrong, LIBRARIES[0][1])).toContain('error TS2322');
  });
});

describe('the command package', () => {
  it('is one file with the licences of what it contains', () => {
    expect(filesOf('export-once').toSorted()).toEqual(
      ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES', 'export-once.js', 'package.json'].toSorted(),
    );
  });

  it('is there as `npx export-once`', async () => {
    const { stdout } = await run('npx', ['--offline', 'export-once', '--help'], { cwd: project });

    expect(stdout).toContain('Usage: export-once');
  });
});
