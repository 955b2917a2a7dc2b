// Reads one table, its segments in parallel, page by page within the read rate, from where it was left.
// Strongly consistent: the join rests on it. Reads only.

import { type DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { AuditFolder } from '#ops/audit/folder.ts';
import { type AuditedTable, lookAt } from '#ops/audit/items.ts';
import type { ReadRate } from '#ops/audit/read-rate.ts';
import type { AuditRules } from '#ops/audit/rules.ts';
import { OpsError } from '#ops/ops-error.ts';
import type { Item } from '#store/classify-answer.ts';
import type { TableNames } from '#store/tables.ts';

export type AuditScan = {
  readonly client: DynamoDBClient;
  readonly tables: TableNames;
  readonly folder: AuditFolder;
  readonly rate: ReadRate;
  readonly rules: AuditRules;
  readonly now: () => number;
  readonly sleepMs: (ms: number) => Promise<void>;
  /** After each page. */
  readonly onPage: (table: AuditedTable) => void;
  readonly signal: AbortSignal;
};

/** Tries of one page: a throttled scan waits, one that cannot read at all stops. */
const PAGE_TRIES_MAX = 6;
const BACKOFF_BASE_MS = 200;

/** @throws OpsError when the table cannot be read; the signal's reason when it is stopped */
export async function scanTable(table: AuditedTable, scan: AuditScan): Promise<void> {
  const indexes = Array.from({ length: scan.folder.segments }, (_, index) => index);
  await Promise.all(indexes.map((index) => scanSegment(table, index, scan)));
}

async function scanSegment(table: AuditedTable, index: number, scan: AuditScan): Promise<void> {
  const { folder, rules, now, onPage, signal } = scan;
  for (;;) {
    const before = folder.segment(table, index);
    if (before.done) return;
    signal.throwIfAborted();
    const page = await readPage({ table, index, lastKey: before.lastKey }, scan);
    const items = page.Items ?? [];
    const looked = items.map((item) => lookAt(table, item, { rules, nowMs: now() }));
    folder.write(
      { table, index },
      {
        facts: looked.flatMap(({ fact }) => fact ?? []),
        violations: looked.flatMap(({ violations }) => violations),
      },
      {
        done: page.LastEvaluatedKey === undefined,
        ...(page.LastEvaluatedKey && { lastKey: page.LastEvaluatedKey as never }),
        items: before.items + items.length,
        newestMs: items.reduce((newest, item) => Math.max(newest, madeAtMs(item)), before.newestMs),
      },
    );
    onPage(table);
    await scan.rate.spend(page.ConsumedCapacity?.CapacityUnits ?? 0);
  }
}

async function readPage(
  from: {
    readonly table: AuditedTable;
    readonly index: number;
    readonly lastKey: Item | undefined;
  },
  { client, tables, folder, sleepMs, signal }: AuditScan,
): Promise<ScanCommandOutput> {
  const { table, index: Segment, lastKey } = from;
  for (let tries = 1; ; tries += 1) {
    try {
      return await client.send(
        new ScanCommand({
          TableName: tables[table],
          Segment,
          TotalSegments: folder.segments,
          ConsistentRead: true,
          ReturnConsumedCapacity: 'TOTAL',
          ...(lastKey && { ExclusiveStartKey: lastKey }),
        }),
        { abortSignal: signal },
      );
    } catch (error) {
      signal.throwIfAborted();
      if (tries >= PAGE_TRIES_MAX) {
        const name = error instanceof Error ? error.name : typeof error;
        throw new OpsError(
          `${tables[table]} cannot be read (${name}). What was read is kept: go on with --resume ${folder.path}`,
        );
      }
      await sleepMs(BACKOFF_BASE_MS * 2 ** tries);
    }
  }
}

function madeAtMs(item: Item): number {
  return Number(item.committedAtMs?.N ?? item.createdAtMs?.N ?? 0) || 0;
}
