// Everything at once: for tools and tests that look at the whole service. A function wires only the parts
// that it uses, and never imports this file.

import { readConfig } from '#handlers/config.ts';
import { type EdgeOptions, wireEdge } from '#handlers/edge-wiring.ts';
import { type Connection, wireTables } from '#handlers/table-wiring.ts';
import { createArticleStore } from '#store/article-store.ts';
import { createExportJobCommitStore } from '#store/export-job-commit-store.ts';
import { createIdempotencyStore } from '#store/idempotency-store.ts';
import { createJobLeaseStore } from '#store/job-lease-store.ts';
import { createJobReadStore } from '#store/job-read-store.ts';

export type WiringOptions = EdgeOptions & { readonly connection?: Connection };

/** @throws ConfigError */
export function wire({ connection, ...options }: WiringOptions = {}) {
  const base = wireEdge(options);
  const { tables, due, dynamo, dynamoDb } = wireTables(base, connection);
  return {
    ...base,
    config: readConfig(base.environment),
    tables,
    dynamo,
    dynamoDb,
    records: createIdempotencyStore(dynamo, tables.idempotencyKeys),
    commits: createExportJobCommitStore(dynamo, tables, due),
    jobs: createJobReadStore(dynamo, tables),
    leases: createJobLeaseStore(dynamo, tables, due),
    articles: createArticleStore(dynamo, tables),
  };
}

export type Wiring = ReturnType<typeof wire>;
