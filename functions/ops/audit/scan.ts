// Reads one table, its segments in parallel, page by page within the read rate, from where it was left.
// Strongly consistent: the join rests on it. Reads only.

import * as z from 'zod';
import type { AuditFolder } from '#ops/audit/folder.ts';
import { type AuditedTable, lookAt } from '#ops/audit/items.ts';
import type { ReadRate } from '#ops/audit/read-rate.ts';
import type { AuditRules } from '#ops/audit/rules.ts';
import { OpsError } from '#ops/ops-error.ts';
import type { Dynamo, Page } from '#store/dynamo.ts';
import { view } from '#store/dynamo-input.ts';
import type { Item } from '#store/item.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

export type AuditScan = {
  readonly dynamo: Dynamo;
  readonly tables: TableNames;
  readonly folder: AuditFolder;
  readonly rate: ReadRate;
  readonly rules: AuditRules;
  readonly now: () => number;
  readonly sleepMs: (ms: number) => Promise<void>;
  /** The name of what failed last, for an operator. */
  readonly lastFailure: () => string;
  /** After each page. */
  readonly onPage: (table: AuditedTable) => void;
  readonly signal: AbortSignal;
};

/** Tries of one page: a throttled scan waits, one that cannot read at all stops. */
const PAGE_TRIES_MAX = 6;
/** A page of 1 MB may take seconds on a table under load, milliseconds. */
export const PAGE_TIMEOUT_MS = 30_000;
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
    const { items, lastKey, units } = await readPage({ table, index }, before.lastKey, scan);
    const looked = items.map((item) => lookAt(table, item, { rules, nowMs: now() }));
    folder.write(
      { table, index },
      {
        facts: looked.flatMap(({ fact }) => fact ?? []),
        violations: looked.flatMap(({ violations }) => violations),
      },
      {
        done: lastKey === undefined,
        ...(lastKey && { lastKey: keySchema.parse(lastKey) }),
        items: before.items + items.length,
        newestMs: items.reduce((newest, item) => Math.max(newest, madeAtMs(item)), before.newestMs),
      },
    );
    onPage(table);
    await scan.rate.spend(units);
  }
}

/** Only a page that names its table counts: an answer that proves nothing would be a clean audit. */
async function readPage(
  { table, index }: { readonly table: AuditedTable; readonly index: number },
  startKey: Item | undefined,
  { dynamo, tables, folder, sleepMs, signal, lastFailure }: AuditScan,
): Promise<Page<Item>> {
  const items = view(tables[table], TABLES[table], (item) => item);
  const scan = { segment: index, segments: folder.segments, consistent: true };
  for (let tries = 1; ; tries += 1) {
    const asked = { ...scan, ...(startKey && { startKey }) };
    const page = await dynamo.scan(items, asked, { timeoutMs: PAGE_TIMEOUT_MS });
    signal.throwIfAborted();
    if (page.kind === 'found') return page.value;
    if (tries >= PAGE_TRIES_MAX) {
      throw new OpsError(
        `${tables[table]} cannot be read (${lastFailure()}). What was read is kept: go on with --resume ${folder.path}`,
      );
    }
    await sleepMs(BACKOFF_BASE_MS * 2 ** tries);
  }
}

/** Keys of all tables are text. */
const keySchema = z.record(z.string(), z.string());

function madeAtMs({ committedAtMs, createdAtMs }: Item): number {
  const made = committedAtMs ?? createdAtMs;
  return typeof made === 'number' ? made : 0;
}
