// The environment of a deployed stage, read from its create function: the same tables, the same
// schedule, the same floor as the callers meet, without copying them by hand.

import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { OpsError } from '#ops/ops-error.ts';

const SERVICE = 'export-once';

/** @throws OpsError */
export async function deployedEnvironment(
  stage: string,
  client = new LambdaClient({}),
): Promise<Readonly<Record<string, string>>> {
  const FunctionName = `${SERVICE}-${stage}-create-export-job`;
  try {
    const { Environment } = await client.send(
      new GetFunctionConfigurationCommand({ FunctionName }),
    );
    return Environment?.Variables ?? {};
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    throw new OpsError(
      `The configuration of ${FunctionName} cannot be read (${name}). Check the stage, AWS_REGION and your credentials.`,
    );
  } finally {
    client.destroy();
  }
}
