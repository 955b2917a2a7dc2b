// `ops audit`: does everything that is stored still keep the promises. Reads only; stopped, it can go on
// where it was. Exit code 1 when something is found, each thing named.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { openAuditFolder } from '#ops/audit/folder.ts';
import { readRate } from '#ops/audit/read-rate.ts';
import { auditAsJson, auditAsText } from '#ops/audit/report.ts';
import { runAudit } from '#ops/audit/run-audit.ts';
import { PAGE_TIMEOUT_MS } from '#ops/audit/scan.ts';
import { EXIT_FOUND, OpsError } from '#ops/ops-error.ts';
import { progressTo } from '#ops/progress.ts';
import { openTarget, TARGET_HELP, type TargetOptions, withTarget } from '#ops/target.ts';
import { createDynamoDbClient } from '#store/dynamodb-client.ts';

type AuditCommandOptions = TargetOptions & {
  readonly segments: number;
  readonly rate: number;
  readonly resume?: string;
  readonly afterRestore?: number;
  readonly all?: true;
  readonly json?: true;
};

export function auditCommand(): Command {
  return withTarget(new Command('audit'))
    .description('reads all keys, jobs, claims and notifications, and checks what must hold')
    .option('--segments <n>', 'parts of a table that are read in parallel', positive, 4)
    .option('--rate <units>', 'read units a second, at most', positive, 1_000)
    .option('--resume <folder>', 'go on with an audit that was stopped')
    .option('--after-restore <instant>', 'the instant that tables were restored to', instant)
    .option('--all', 'name every violation, not only the first 20 of a kind')
    .option('--json', 'one JSON object, for programs')
    .addHelpText(
      'after',
      `${TARGET_HELP}

A table of 1 GB is read in 250,000 read units: 250 s at the default rate. What is read does not change, and
callers are served meanwhile; what they make while it runs is left to the next audit.

Examples:
  npm run ops -- audit --local
  npm run ops -- audit --stage prod --segments 8 --rate 5000
  npm run ops -- audit --stage prod --after-restore 2026-05-17T08:30:00Z
  npm run --silent ops -- audit --local --json > audit.json

Exit code: 0 all is well, 1 violations, 2 it could not be read to the end.`,
    )
    .action(audit);
}

async function audit(options: AuditCommandOptions): Promise<void> {
  const target = await openTarget(options);
  let lastFailure = 'an answer that does not name the table';
  const client = createDynamoDbClient(
    { connectTimeoutMs: 2_000, tryTimeoutMs: PAGE_TIMEOUT_MS },
    target.connection,
    (_call, failure) => {
      lastFailure = failure;
    },
  );
  const folder = openAuditFolder(
    options.resume ?? mkdtempSync(join(tmpdir(), 'export-once-audit-')),
    {
      tables: `${target.where}: ${Object.values(target.tables).join(', ')}`,
      startedAtMs: Date.now(),
      segments: options.segments,
    },
  );
  const stopped = new AbortController();
  const stop = () => stopped.abort(new OpsError(`Stopped. Go on with --resume ${folder.path}`));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const progress = progressTo(process.stderr);
  progress.say(`auditing ${target.where}`);
  try {
    const { afterRestore } = options;
    const report = await runAudit(target, {
      client,
      lastFailure: () => lastFailure,
      folder,
      rate: readRate(options.rate, Date.now, (ms) => sleep(ms)),
      now: Date.now,
      sleepMs: (ms) => sleep(ms),
      signal: stopped.signal,
      onProgress: progress.show,
      ...(afterRestore !== undefined && { restoredTo: { restoredToMs: afterRestore } }),
    });
    progress.clear();
    const shown = { all: options.all === true };
    process.stdout.write(options.json ? auditAsJson(report) : auditAsText(report, shown));
    if (report.violations.length > 0) process.exitCode = EXIT_FOUND;
    folder.remove();
  } catch (error) {
    if (folder.isEmpty() && options.resume === undefined) folder.remove();
    throw error;
  } finally {
    progress.clear();
    client.destroy();
    target.dynamoDb.destroy();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 to 1000000.');
}

function instant(text: string): number {
  const ms = Date.parse(text);
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && ms >= 0) return ms;
  throw new InvalidArgumentError('It must be an instant such as 2026-05-17T08:30:00Z.');
}
