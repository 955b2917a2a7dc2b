// One audit: the tables' settings, then every item of the four tables that hold promises, then the join
// over all of them, part by part so that memory stays bounded.

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type AfterRestore, afterRestore, type RestoreReport } from '#ops/audit/after-restore.ts';
import type { Fact } from '#ops/audit/facts.ts';
import type { AuditFolder } from '#ops/audit/folder.ts';
import type { AuditedTable } from '#ops/audit/items.ts';
import { joined, joinFaults } from '#ops/audit/join.ts';
import type { ReadRate } from '#ops/audit/read-rate.ts';
import { type AuditRules, auditRules, isTooNew } from '#ops/audit/rules.ts';
import { type AuditScan, scanTable } from '#ops/audit/scan.ts';
import { tableFaults } from '#ops/audit/tables.ts';
import type { Violation } from '#ops/audit/violation.ts';
import type { Target } from '#ops/target.ts';
import { createDynamo } from '#store/dynamo.ts';

/** The join rests on this order: see join.ts. */
export const AUDITED = ['idempotencyKeys', 'exportJobs', 'businessKeys', 'notifications'] as const;

/** Keys and jobs that are joined at a time: some 500 bytes each. */
const ITEMS_PER_PART = 50_000;
/** More files at once are slow; beyond 25 million items the parts grow. */
const PARTS_MAX = 500;

export type AuditOptions = {
  readonly client: DynamoDBClient;
  readonly lastFailure: () => string;
  readonly folder: AuditFolder;
  readonly rate: ReadRate;
  readonly now: () => number;
  readonly sleepMs: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  /** Tests make it small. */
  readonly itemsPerPart?: number;
  readonly restoredTo?: AfterRestore;
};

export type AuditReport = {
  readonly items: Readonly<Record<AuditedTable, number>>;
  readonly violations: readonly Violation[];
  /** Made while the audit ran: what belongs to them was not judged. */
  readonly tooNew: number;
  readonly restore?: RestoreReport;
};

type Audited = Pick<Target, 'config' | 'tables' | 'isLocal'>;

export async function runAudit(target: Audited, options: AuditOptions): Promise<AuditReport> {
  const { folder, client, onProgress } = options;
  const { config, tables } = target;
  const rules = auditRules(config.retention, config.JOB_RETENTION.ms, folder.startedAtMs);
  const violations: Violation[] = await tableFaults(client, tables, target.isLocal);
  const sumOf = (table: AuditedTable) => sumSegments(folder, table);
  const scan: AuditScan = {
    ...options,
    dynamo: createDynamo(client),
    tables,
    rules,
    onPage: (table) => onProgress(progressLine(table, folder)),
  };
  for (const table of AUDITED) await scanTable(table, scan);
  // One by one: spread, as many as a ruined table has would overflow the stack.
  for (const violation of folder.violations()) violations.push(violation);

  const join = await joinAll(options, rules, violations);
  const counts = Object.fromEntries(AUDITED.map((table) => [table, sumOf(table).items]));
  const newestMs = Object.fromEntries(AUDITED.map((table) => [table, sumOf(table).newestMs]));
  const restore =
    options.restoredTo &&
    afterRestore(options.restoredTo, {
      newestMs: newestMs as Record<AuditedTable, number>,
      unfinished: join.unfinished,
      violations,
      floorMs: config.retention.admitNotBeforeMs,
    });
  return {
    items: counts as AuditReport['items'],
    violations: [...violations, ...(restore?.violations ?? [])],
    tooNew: join.tooNew,
    ...(restore && { restore }),
  };
}

type Join = { readonly tooNew: number; readonly unfinished: number };

/** @param violations what the join finds is added here: as a value of its own it would be held twice */
async function joinAll(
  options: AuditOptions,
  rules: AuditRules,
  violations: Violation[],
): Promise<Join> {
  const { folder, now, onProgress } = options;
  const items =
    sumSegments(folder, 'idempotencyKeys').items + sumSegments(folder, 'exportJobs').items;
  const wanted = Math.ceil(items / (options.itemsPerPart ?? ITEMS_PER_PART));
  const parts = Math.min(PARTS_MAX, Math.max(1, wanted));
  onProgress(`dealing the facts into ${parts} parts`);
  await folder.deal(parts);
  let tooNew = 0;
  let unfinished = 0;
  for (let part = 0; part < parts; part += 1) {
    options.signal.throwIfAborted();
    onProgress(`joining, part ${part + 1} of ${parts}`);
    for (const [jobId, facts] of await factsByJob(folder, part)) {
      const all = joined(jobId, facts);
      violations.push(...joinFaults(all, rules, now()));
      if (all.job && isTooNew(all.job.createdAtMs, rules)) tooNew += 1;
      if (all.job?.status === 'queued' || all.job?.status === 'running') unfinished += 1;
    }
  }
  return { tooNew, unfinished };
}

async function factsByJob(folder: AuditFolder, part: number): Promise<Map<string, Fact[]>> {
  const byJob = new Map<string, Fact[]>();
  for await (const fact of folder.factsOfPart(part)) {
    const facts = byJob.get(fact.jobId);
    if (facts) facts.push(fact);
    else byJob.set(fact.jobId, [fact]);
  }
  return byJob;
}

function sumSegments(folder: AuditFolder, table: AuditedTable) {
  let items = 0;
  let newestMs = 0;
  let done = 0;
  for (let index = 0; index < folder.segments; index += 1) {
    const segment = folder.segment(table, index);
    items += segment.items;
    newestMs = Math.max(newestMs, segment.newestMs);
    if (segment.done) done += 1;
  }
  return { items, newestMs, done };
}

function progressLine(table: AuditedTable, folder: AuditFolder): string {
  const { items, done } = sumSegments(folder, table);
  return `${table}: ${items} items, ${done} of ${folder.segments} segments done`;
}
