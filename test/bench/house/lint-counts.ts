// Counts functions that are hard to read: over 15 in cognitive complexity, over three parameters. Biome counts,
// with a configuration of its own that is thrown away, so that no checkout's rules change the figure.
// A finding that a comment suppresses is not counted.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const BIOME = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));
const RULES = {
  noExcessiveCognitiveComplexity: { level: 'error', options: { maxAllowedComplexity: 15 } },
  useMaxParams: { level: 'error', options: { max: 3 } },
};
/** Bytes of biome's report. */
const REPORT_BYTES_MAX = 64 * 1024 * 1024;

const reportSchema = z.object({ diagnostics: z.array(z.object({ category: z.string() })) });

export type LintCounts = { readonly complex: number; readonly manyParameters: number };

export function countFindings(root: string, folders: readonly string[]): LintCounts {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-house-'));
  try {
    const config = { root: true, linter: { rules: { preset: 'none', complexity: RULES } } };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
    const report = reportOf(root, [`--config-path=${folder}`, ...folders]);
    const { diagnostics } = reportSchema.parse(JSON.parse(report));
    const count = (rule: keyof typeof RULES) =>
      diagnostics.filter(({ category }) => category === `lint/complexity/${rule}`).length;
    return {
      complex: count('noExcessiveCognitiveComplexity'),
      manyParameters: count('useMaxParams'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Findings make biome's exit code 1; only a report that cannot be read is an error. */
function reportOf(root: string, args: readonly string[]): string {
  const flags = ['lint', '--reporter=json', '--max-diagnostics=none', ...args];
  const { stdout } = spawnSync(BIOME, flags, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: REPORT_BYTES_MAX,
  });
  return stdout;
}
