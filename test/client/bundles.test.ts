// The package in bundles for browsers: what esbuild and vite make of it runs where nothing of Node is, down
// to a file that is checked.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vm from 'node:vm';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClientPackage } from '#client/build.ts';
import { JOB_ID, RECEIPT } from '#test/client/wire-answers.ts';

const FILE = 'hello';
const JOB = {
  id: JOB_ID,
  status: 'succeeded',
  idempotencyKey: 'k',
  format: 'text',
  createdAt: RECEIPT.createdAt,
  progress: { done: 1, total: 1 },
  file: {
    bytes: FILE.length,
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    contentType: 'text/plain',
  },
  links: { self: '/s', cancel: '/c', file: '/f' },
};

/** As in a browser: the page's own names, and `done` for the test. */
const PROGRAM = `
  import { createClient } from 'export-once-client';
  const client = createClient({ url: 'https://exports.test', token: 't' });
  (async () => {
    const { jobId } = await client.createExportJob({ articleIds: ['a'], format: 'text' });
    const { status } = await client.waitForJob(jobId);
    const bytes = [];
    const to = new WritableStream({ write: (chunk) => void bytes.push(...chunk) });
    const file = await client.downloadFile(jobId, to);
    return [status, file.sha256, new TextDecoder().decode(Uint8Array.from(bytes))].join(' ');
  })().then(done, (error) => done(String(error)));
`;

let folder: string;
let main: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-once-bundles-'));
  mkdirSync(join(folder, 'node_modules'));
  await buildClientPackage(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  main = join(folder, 'main.js');
  writeFileSync(main, PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the page sees of the network. */
async function fetchInPage(url: string, init: RequestInit): Promise<Response> {
  const { pathname } = new URL(url);
  if (pathname === '/file') return new Response(FILE);
  if (init.method === 'POST') return Response.json(RECEIPT, { status: 202 });
  const file = { url: 'https://files.test/file', expiresAt: 'x' };
  return Response.json(pathname.endsWith('/file') ? file : JOB);
}

function runInPage(script: string): Promise<string> {
  return new Promise((done) => {
    const page = {
      fetch: fetchInPage,
      done,
      AbortController,
      AbortSignal,
      URL,
      URLSearchParams,
      TextEncoder,
      TextDecoder,
      Headers,
      Response,
      WritableStream,
      Uint8Array,
      performance,
      crypto,
      atob,
      setTimeout,
      clearTimeout,
    };
    vm.runInContext(script, vm.createContext(page));
  });
}

describe('a bundle for browsers', () => {
  it('made by esbuild runs', async () => {
    const { outputFiles, warnings } = await esbuild({
      entryPoints: [main],
      bundle: true,
      platform: 'browser',
      format: 'iife',
      write: false,
      logLevel: 'silent',
    });

    expect(warnings).toEqual([]);
    expect(await runInPage(outputFiles[0]?.text ?? '')).toBe(
      `succeeded ${JOB.file.sha256} ${FILE}`,
    );
  });

  it('made by vite runs', async () => {
    const warnings: string[] = [];
    const built = await vite({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        rolldownOptions: {
          input: main,
          output: { format: 'iife' },
          onwarn: ({ message }) => void warnings.push(message),
        },
      },
    });
    const [chunk] = 'output' in built ? built.output : [];

    expect(warnings).toEqual([]);
    expect(await runInPage(chunk?.type === 'chunk' ? chunk.code : '')).toBe(
      `succeeded ${JOB.file.sha256} ${FILE}`,
    );
  });

  it('can drop what is not used: nothing of the package has effects of its own', async () => {
    const { outputFiles } = await esbuild({
      stdin: { contents: "import 'export-once-client';", resolveDir: folder },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      logLevel: 'silent',
    });

    expect(outputFiles[0]?.text.trim()).toBe('');
  });
});
