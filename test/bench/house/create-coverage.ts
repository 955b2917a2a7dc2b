// Which files and functions of our own one create runs, as V8 counts them: the real handler of the checkout,
// in a process of its own, on a DynamoDB Local of its own. What runs while the modules load is not counted.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { isolatedKeyId, startDynamoDbLocal } from '#local/dynamodb/dynamodb-local.ts';
import { makeTables, readTables } from '#local/dynamodb/make-tables.ts';
import { tableVariable } from '#local/dynamodb/table-variable.ts';

const run = promisify(execFile);

const coverageSchema = z.object({
  filesLoaded: z.number(),
  filesRun: z.number(),
  functionsRun: z.number(),
});
export type CreateCoverage = z.output<typeof coverageSchema>;

export async function measureCreate(root: string): Promise<CreateCoverage> {
  const local = await startDynamoDbLocal();
  const credentials = { accessKeyId: isolatedKeyId(), secretAccessKey: 'bench' };
  const client = new DynamoDBClient({ endpoint: local.endpoint, region: 'us-east-1', credentials });
  try {
    const tables = readTables(pathToFileURL(join(root, 'infra/tables.yml')));
    await makeTables(client, tables);
    const child = fileURLToPath(new URL('covered-create.ts', import.meta.url));
    const { stdout } = await run(process.execPath, [child, root], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        ...Object.fromEntries(tables.map(({ name }) => [tableVariable(name), name])),
        STAGE: 'local',
        EXPORTS_BUCKET: 'exports',
        RUN_JOB_FUNCTION: 'run-job',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_ENDPOINT_URL_DYNAMODB: local.endpoint,
      },
    });
    // The function logs to the same stream: the figures are the last line.
    return coverageSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  } finally {
    client.destroy();
    await local.stop();
  }
}
