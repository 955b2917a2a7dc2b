// `ops inspect`: one intent, everything that is stored of it, what its caller would be told now, and
// whether it all agrees. Reads only. Exit code 1 when it does not agree.

import { Command } from 'commander';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';
import { parseIdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { Principal } from '#idempotency/scope.ts';
import { type Asked, type Intent, readIntent } from '#ops/inspect/intent.ts';
import { disagreements } from '#ops/inspect/intent-agreement.ts';
import { intentAsJson, intentAsText } from '#ops/inspect/intent-report.ts';
import { toldNow } from '#ops/inspect/told-now.ts';
import { EXIT_FOUND, OpsError } from '#ops/ops-error.ts';
import {
  openTarget,
  TARGET_HELP,
  type Target,
  type TargetOptions,
  withTarget,
} from '#ops/target.ts';

type InspectOptions = TargetOptions & {
  readonly subject: string;
  readonly issuer?: string;
  readonly key?: string;
  readonly job?: string;
  readonly batch?: string;
  readonly json?: true;
};

export function inspectCommand(): Command {
  return withTarget(new Command('inspect'))
    .description('shows what is stored of one intent, and what its caller would be told now')
    .requiredOption('--subject <sub>', 'the caller: `sub` of its tokens')
    .option('--issuer <iss>', "`iss` of its tokens; by default the local stack's")
    .option('--key <key>', 'its idempotency key')
    .option('--job <id>', 'or a job ID')
    .option('--batch <id>', 'or a source batch ID')
    .option('--json', 'one JSON object, for programs')
    .addHelpText(
      'after',
      `${TARGET_HELP}

Examples:
  npm run ops -- inspect --local --subject demo --key my-first-export
  npm run ops -- inspect --stage prod --issuer https://login.example.org/ --subject 42 --batch 2026-05-17
  npm run --silent ops -- inspect --subject demo --job 0190a0b1-… --json

Exit code: 0 what is stored agrees, 1 it does not, 2 it could not be read.`,
    )
    .action(inspect);
}

async function inspect(options: InspectOptions): Promise<void> {
  const asked = askedOf(options);
  const target = await openTarget(options);
  try {
    const principal = principalOf(options, target);
    const { intent, found, nowMs } = await readTwice(
      { asked: asked, principal: principal },
      target,
    );
    const told = toldNow(intent, nowMs, target.config.retention);
    const report = { asked, principal, where: target.where, intent, found, told, nowMs };
    process.stdout.write(options.json ? intentAsJson(report) : intentAsText(report));
    if (found.length > 0) process.exitCode = EXIT_FOUND;
  } finally {
    target.dynamoDb.destroy();
  }
}

/**
 * The reads are several, and a worker may finish the job between two of them: only a disagreement that
 * stands when all is read again is one.
 */
export async function readTwice(
  { asked, principal }: { readonly asked: Asked; readonly principal: Principal },
  target: Target,
  now: () => number = Date.now,
): Promise<{ intent: Intent; found: readonly string[]; nowMs: EpochMs }> {
  const look = async () => {
    const intent = await readIntent(asked, principal, target);
    const nowMs = epochMs(Math.floor(now()));
    return { intent, nowMs, found: disagreements(intent, nowMs, target.config.JOB_RETENTION.ms) };
  };
  const first = await look();
  if (first.found.length === 0) return first;
  const second = await look();
  return { ...second, found: second.found.filter((sentence) => first.found.includes(sentence)) };
}

function askedOf({ key: text, job, batch }: InspectOptions): Asked {
  if ([text, job, batch].filter((value) => value !== undefined).length !== 1) {
    throw new OpsError('Name the intent by one of --key, --job or --batch.');
  }
  if (job !== undefined) return { by: 'job', jobId: job.toLowerCase() };
  if (batch !== undefined) return { by: 'batch', sourceBatchId: batch };
  const key = parseIdempotencyKey(text ?? '');
  if (!key) {
    throw new OpsError(
      `"${text}" is no idempotency key: 1 to 255 of the characters A-Z a-z 0-9 . _ ~ : -`,
    );
  }
  return { by: 'key', key };
}

function principalOf({ subject, issuer }: InspectOptions, target: Target): Principal {
  const named = issuer ?? target.issuer;
  if (named) return { issuer: named, subject };
  throw new OpsError(
    'Name the issuer of the callers\' tokens: --issuer https://… (the stage\'s jwtIssuer; "iss" of a token).',
  );
}
