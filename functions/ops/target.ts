// Which service a command looks at: a deployed stage, the stack on this machine, or what the environment
// names as it does for the functions. The same wiring as theirs, and nothing that writes.

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import { ConfigError } from '#handlers/config.ts';
import { type Wiring, wire } from '#handlers/wiring.ts';
import { deployedEnvironment } from '#ops/deployed-environment.ts';
import { OpsError } from '#ops/ops-error.ts';
import { findStack } from '#ops/stack-file.ts';

export type TargetOptions = {
  readonly local?: string | true;
  readonly stage?: string;
};

export type Target = Wiring & {
  /** For a person: where the tables are. */
  readonly where: string;
  /** The stack's own issuer; a deployed stage has none that could be known here. */
  readonly issuer?: string;
  readonly connection: Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>;
  readonly isLocal: boolean;
};

export const TARGET_HELP = `
Which service: --stage NAME reads the deployed one (its configuration from its create function, with your
AWS credentials and AWS_REGION); --local the one of npm start. With neither, the variables that the functions
have (TABLE_…, RETENTION_SCHEDULE, AWS_…) are taken if they are set, else --local.`;

/** Adds the options that name a service. */
export function withTarget(command: Command): Command {
  return command
    .option(
      '--local [port-or-folder]',
      'the stack of npm start on this machine; one with --data DIR by --local DIR',
    )
    .option('--stage <name>', 'a deployed stage, for example prod');
}

/** @throws OpsError */
export async function openTarget(
  { local, stage }: TargetOptions,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Target> {
  if (local !== undefined && stage !== undefined) {
    throw new OpsError('Name one service: --local or --stage, not both.');
  }
  if (stage !== undefined) {
    const deployed = await deployedEnvironment(stage);
    return wired(`stage ${stage}`, { STAGE: stage, ...deployed }, {});
  }
  if (local === undefined && environment.TABLE_IDEMPOTENCY_KEYS) {
    return wired('the tables of the environment', environment, {});
  }
  const stack = findStack(local === true ? undefined : local);
  const { AWS_REGION: region = 'us-east-1', AWS_ACCESS_KEY_ID: accessKeyId = 'local' } =
    stack.environment;
  const target = wired(`the stack at ${stack.url}`, stack.environment, {
    endpoint: stack.dynamoDbEndpoint,
    region,
    // DynamoDB Local tells databases apart by the key ID, and does not check the secret.
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
  return { ...target, issuer: stack.issuer };
}

function wired(
  where: string,
  environment: Readonly<Record<string, string | undefined>>,
  connection: Target['connection'],
): Target {
  const quiet = { info: () => undefined, error: () => undefined };
  const signals = { measure: () => undefined, publish: () => undefined };
  try {
    const wiring = wire({ environment, connection, log: quiet, signals });
    return { ...wiring, where, connection, isLocal: wiring.config.STAGE === 'local' };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new OpsError(`The configuration of ${where} cannot be used. ${error.message}`);
  }
}
