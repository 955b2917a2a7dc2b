// The walls of architecture.md stand by lint: a wrong import fails, and this shows that it does.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('..', import.meta.url).pathname;

/** Lints one file as if it stood in the repository. */
function lint(path: string, source: string): { readonly ok: boolean; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-lint-'));
  try {
    cpSync(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
    const { status, stdout, stderr } = spawnSync(
      join(ROOT, 'node_modules/.bin/biome'),
      ['lint', '--vcs-enabled=false', '--colors=off', path],
      { cwd: folder, encoding: 'utf8' },
    );
    return { ok: status === 0, said: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const importing = (from: string) => `import { x } from '${from}';\nexport const y = x;\n`;

describe('a wrong import fails lint', () => {
  it.each([
    ['functions/contract/wrong.ts', '#http/serve.ts'],
    ['functions/contract/wrong.ts', '#export-jobs/job.ts'],
    ['functions/idempotency/wrong.ts', '#contract/limits.ts'],
    ['functions/idempotency/wrong.ts', '#export-jobs/job.ts'],
    ['functions/idempotency/wrong.ts', '#store/item.ts'],
    ['functions/idempotency/wrong.ts', '@aws-sdk/client-dynamodb'],
    ['functions/export-jobs/wrong.ts', '#store/item.ts'],
    ['functions/export-jobs/wrong.ts', '#http/serve.ts'],
    ['functions/store/wrong.ts', '#http/serve.ts'],
    ['functions/store/wrong.ts', '#handlers/wiring.ts'],
    ['functions/http/wrong.ts', '#store/item.ts'],
    ['functions/http/wrong.ts', '#worker/run-job.ts'],
    ['functions/http/wrong.ts', '@aws-sdk/client-s3'],
    ['functions/worker/wrong.ts', '#store/item.ts'],
    ['functions/worker/wrong.ts', '#http/serve.ts'],
    ['functions/ops/wrong.ts', '#http/serve.ts'],
    ['functions/handlers/wrong.ts', '#test/support/dynamodb.ts'],
    ['functions/http/wrong.ts', '../store/item.ts'],
    ['functions/http/wrong.ts', './../store/item.ts'],
    ['client/wrong.ts', '#idempotency/epoch.ts'],
    ['client/wrong.ts', '#http/serve.ts'],
  ])('%s cannot import %s', (path, from) => {
    const { ok, said } = lint(path, importing(from));

    expect(said).toContain('noRestrictedImports');
    expect(ok).toBe(false);
  });

  it.each([
    ['functions/contract/right.ts', '#idempotency/idempotency-key.ts'],
    ['functions/store/right.ts', '#export-jobs/job.ts'],
    ['functions/http/right.ts', '#export-jobs/job.ts'],
    ['functions/handlers/right.ts', '#store/item.ts'],
    ['client/right.ts', '#contract/limits.ts'],
  ])('%s can import %s', (path, from) => {
    expect(lint(path, importing(from))).toMatchObject({ ok: true });
  });

  it('zod is imported as a namespace, never by its name', () => {
    const named = lint(
      'functions/http/wrong.ts',
      "import { z } from 'zod';\nexport const y = z;\n",
    );
    const whole = lint(
      'functions/http/right.ts',
      "import * as z from 'zod';\nexport const y = z;\n",
    );

    expect(named).toMatchObject({ ok: false });
    expect(named.said).toContain('noRestrictedImports');
    expect(whole).toMatchObject({ ok: true });
  });

  it('file names are kebab-case', () => {
    expect(lint('functions/http/wrongName.ts', 'export const y = 1;\n')).toMatchObject({
      ok: false,
    });
  });
});

describe('the idempotency room', () => {
  const files = readdirSync(join(ROOT, 'functions/idempotency'));
  const sources = files.map((file) =>
    readFileSync(join(ROOT, 'functions/idempotency', file), 'utf8'),
  );

  it('says nothing of exports, HTTP or DynamoDB in its code', () => {
    const code = sources.map((source) => source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')).join('\n');

    expect(code).not.toMatch(/export-?job|dynamodb|statusCode|article|sourceBatch/i);
  });

  it('can be lifted out: it imports only itself and packages', () => {
    const imported = sources.flatMap((source) =>
      [...source.matchAll(/from '([^']+)'/g)].map(([, from]) => from ?? ''),
    );

    expect(
      imported.filter((from) => /^[#.]/.test(from) && !from.startsWith('#idempotency/')),
    ).toEqual([]);
  });
});
