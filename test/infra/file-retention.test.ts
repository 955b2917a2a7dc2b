// Files are kept as long as the service says: the bucket's rule and what is published are one number.

import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fileRetentionDays } from '#export-jobs/file-retention.ts';
import { parseDurationMs } from '#idempotency/duration.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'node_modules/.bin');

function serverless(...args: string[]): string {
  const { stdout, stderr } = spawnSync(join(BIN, 'serverless'), args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: [BIN, process.env.PATH].join(delimiter) },
  });
  return stdout + stderr;
}

describe('a finished file', () => {
  it.each([
    ['P30D', 32],
    ['P60D', 62],
    ['PT721H', 33],
  ])(
    'of a job that is kept %s is kept %i days, by the bucket and by what is published',
    (jobs, days) => {
      const printed = serverless('print', '--stage', 'prod', `--param=jobRetention=${jobs}`);

      const { resources, provider } = parse(printed.slice(printed.indexOf('service:')), {
        logLevel: 'silent',
      });
      const [rule] = resources.Resources.ExportsBucket.Properties.LifecycleConfiguration.Rules;
      expect(rule.ExpirationInDays).toBe(days);
      expect(fileRetentionDays(parseDurationMs(provider.environment.JOB_RETENTION) ?? 0)).toBe(
        days,
      );
    },
  );

  it.each([
    [86_400_000, 3],
    [86_400_001, 4],
  ])('is kept for whole days: a job of %i ms for %i', (jobMs, days) => {
    expect(fileRetentionDays(jobMs)).toBe(days);
  });

  it('is not deployed without a time: a jobRetention that is no duration is refused', () => {
    const said = serverless('print', '--stage', 'prod', '--param=jobRetention=soon');

    expect(said).toContain('jobRetention must be an ISO 8601 duration such as P30D, not "soon".');
    expect(said).not.toContain('ExpirationInDays: ');
  });
});
