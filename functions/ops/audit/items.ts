// One item at a time: does it parse, is its purge time sound, is it stuck. Pure. Yields what is wrong
// with the item alone and the fact that the join needs of it.

import { isFinished, type Job } from '#export-jobs/job.ts';
import type { Fact } from '#ops/audit/facts.ts';
import { readPurgeTime } from '#ops/audit/purge-time.ts';
import type { AuditRules } from '#ops/audit/rules.ts';
import type { Violation, ViolationCode } from '#ops/audit/violation.ts';
import { answerFaults } from '#ops/inspect/intent-agreement.ts';
import { claimFromItem } from '#store/claim-item.ts';
import type { Item } from '#store/item.ts';
import { articleIdsFromItem, jobFromItem } from '#store/job-item.ts';
import { outboxRowFromItem } from '#store/outbox-row.ts';
import { recordFromItem } from '#store/record-item.ts';
import type { TableNames } from '#store/tables.ts';

export type AuditedTable = Exclude<keyof TableNames, 'articles'>;
export type Looked = { readonly violations: readonly Violation[]; readonly fact?: Fact };

/** @param by the rules, and the time that they are asked at */
export function lookAt(table: AuditedTable, item: Item, by: Judging): Looked {
  const violations: Violation[] = [];
  const say = (code: ViolationCode, detail: string) =>
    void violations.push({ code, table, item: nameOf(table, item), detail });
  const fact = LOOKS[table](item, { say, ...by });
  return { violations, ...(fact && { fact }) };
}

type Judging = { readonly rules: AuditRules; readonly nowMs: number };
type Looking = Judging & { readonly say: (code: ViolationCode, detail: string) => void };

const LOOKS: Readonly<Record<AuditedTable, (item: Item, at: Looking) => Fact | undefined>> = {
  idempotencyKeys(item, at) {
    const purgeAtSeconds = purgeTime(item, at, 'required');
    const record = parsed(() => recordFromItem(item), 'record-unreadable', at.say);
    if (!record) return undefined;
    const earliestMs = Math.max(record.expiresAtMs, record.committedAtMs) + at.rules.graceMsMin;
    if (purgeAtSeconds * 1000 < earliestMs && purgeAtSeconds > 0) {
      at.say('ttl-wrong', `is purged before its expiry and grace, ${iso(earliestMs)}`);
    }
    if (record.state !== 'committed') return undefined;
    for (const fault of answerFaults(record)) at.say('record-answer-differs', fault);
    return { kind: 'record', jobId: record.resourceId, pk: record.recordKey, purgeAtSeconds };
  },

  exportJobs(item, at) {
    if (textOf(item.owner).endsWith('#request')) {
      purgeTime(item, at, 'required');
      const ids = parsed(() => articleIdsFromItem(item), 'job-unreadable', at.say);
      return ids && { kind: 'request', jobId: textOf(item.jobId) };
    }
    const job = parsed(() => jobFromItem(item), 'job-unreadable', at.say);
    if (!job) return undefined;
    const finished = isFinished(job.status);
    const purgeAtSeconds = purgeTime(item, at, finished ? 'required' : 'forbidden');
    if (finished && purgeAtSeconds > 0 && purgeAtSeconds < job.keyPurgeAtSeconds) {
      at.say('ttl-wrong', `is purged before its key record, ${iso(job.keyPurgeAtSeconds * 1000)}`);
    }
    if (finished && item.sweepShard) at.say('job-swept-for-ever', `is ${job.status}`);
    if (!finished) judgeUnfinished(job, item, at);
    return {
      kind: 'job',
      jobId: job.jobId,
      owner: job.owner,
      status: job.status,
      createdAtMs: job.createdAtMs,
      keyPurgeAtSeconds: job.keyPurgeAtSeconds,
      purgeAtSeconds,
      hasBatch: job.sourceBatchId !== undefined,
      hasArticleIds: job.articleIds !== undefined,
    };
  },

  businessKeys(item, { say }) {
    if (item.purgeAtSeconds) say('claim-with-ttl', 'has a purge time');
    const claim = parsed(() => claimFromItem(item), 'claim-unreadable', say);
    if (!claim) return undefined;
    const { resourceId: jobId, recordKey: recordPk, createdAtMs } = claim;
    return { kind: 'claim', jobId, pk: textOf(item.pk), recordPk, createdAtMs };
  },

  notifications(item, at) {
    const row = parsed(() => outboxRowFromItem(item), 'notification-unreadable', at.say);
    if (!row) return undefined;
    const settled = row.dueShard === undefined;
    const purgeAtSeconds = purgeTime(item, at, settled ? 'required' : 'forbidden');
    const { jobId, notificationId, event, createdAtMs, dueAtMs } = row;
    if (!settled && dueAtMs !== undefined && at.nowMs - dueAtMs > at.rules.overdueMs) {
      at.say('notification-owed', `${event} is due since ${iso(dueAtMs)}`);
    }
    return { kind: 'row', jobId, notificationId, event, createdAtMs, purgeAtSeconds };
  },
};

/** Work that the sweep does not see, or that should be done by now. */
function judgeUnfinished(job: Job, item: Item, { say, rules, nowMs }: Looking): void {
  const due = typeof item.dueAtMs === 'number' ? item.dueAtMs : undefined;
  if (!item.sweepShard || due === undefined) say('job-unseen', job.status);
  if (due !== undefined && nowMs - due > rules.overdueMs) {
    say('job-stuck', `${job.status}, overdue since ${iso(due)}`);
  } else if (nowMs - job.createdAtMs > rules.unfinishedMsMax) {
    say('job-stuck', `${job.status} since ${iso(job.createdAtMs)}`);
  }
}

/** Seconds; 0 when there is none to go by. */
function purgeTime(
  item: Item,
  { say, rules, nowMs }: Looking,
  may: 'required' | 'forbidden',
): number {
  const time = readPurgeTime(item, nowMs);
  if (time.kind === 'wrong') say('ttl-wrong', time.why);
  if (time.kind === 'none' && may === 'required')
    say('ttl-wrong', 'has no purge time: it stays for ever');
  if (time.kind !== 'none' && may === 'forbidden') say('ttl-wrong', 'may not be purged yet');
  if (time.kind !== 'ok') return 0;
  if (nowMs - time.seconds * 1000 > rules.purgeLagMs) {
    say('past-purge', `was to be purged from ${iso(time.seconds * 1000)}`);
  }
  return time.seconds;
}

function parsed<T>(read: () => T, code: ViolationCode, say: Looking['say']): T | undefined {
  try {
    return read();
  } catch (error) {
    say(code, error instanceof Error ? error.message : 'does not parse');
    return undefined;
  }
}

function nameOf(table: AuditedTable, { pk, owner, jobId, notificationId }: Item): string {
  if (table === 'idempotencyKeys' || table === 'businessKeys') return textOf(pk);
  return `${textOf(owner)} ${textOf(table === 'exportJobs' ? jobId : notificationId)}`;
}

/** Of an attribute that should be text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
