// Starts the one DynamoDB Local of a test run and tells every test file where it listens.
// Test files share it and never see each other's items: each has an access key ID of its own.

import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '#local/dynamodb/dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly dynamoDbEndpoint: string;
    readonly dynamoDbPid: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const local = await startDynamoDbLocal();
  project.provide('dynamoDbEndpoint', local.endpoint);
  project.provide('dynamoDbPid', local.pid);
  return () => local.stop();
}
