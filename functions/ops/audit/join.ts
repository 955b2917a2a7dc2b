// All that is stored of one job, over all tables: does it belong together. Pure.
//
//   keys are read first, then jobs, claims and notifications
//   a record that was read, and no job:   both came in one transaction, and jobs were read later: wrong
//   a job that was read, and no record:   the job may be younger than the reading of keys: then nothing
//                                         follows, else wrong

import { isFinished } from '#export-jobs/job.ts';
import type { ClaimFact, Fact, JobFact, RecordFact, RowFact } from '#ops/audit/facts.ts';
import { type AuditRules, isTooNew } from '#ops/audit/rules.ts';
import type { Violation } from '#ops/audit/violation.ts';

export type JoinedJob = {
  readonly jobId: string;
  readonly records: readonly RecordFact[];
  readonly job?: JobFact;
  readonly hasRequest: boolean;
  readonly claims: readonly ClaimFact[];
  readonly rows: readonly RowFact[];
};

export function joined(jobId: string, facts: readonly Fact[]): JoinedJob {
  const of = <K extends Fact['kind']>(kind: K) =>
    facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind);
  const [job] = of('job');
  return {
    jobId,
    ...(job && { job }),
    records: of('record'),
    hasRequest: of('request').length > 0,
    claims: of('claim'),
    rows: of('row'),
  };
}

export function joinFaults(all: JoinedJob, rules: AuditRules, nowMs: number): Violation[] {
  return [
    ...recordFaults(all, nowMs),
    ...jobFaults(all, rules, nowMs),
    ...claimFaults(all, rules, nowMs),
    ...rowFaults(all, rules, nowMs),
  ];
}

function recordFaults({ jobId, records, job }: JoinedJob, nowMs: number): Violation[] {
  const table = 'idempotencyKeys';
  const [first, ...more] = records;
  const found: Violation[] = more.map(({ pk }) => ({
    code: 'records-share-job',
    table,
    item: pk,
    detail: `names job ${jobId}, as ${first?.pk} does`,
  }));
  for (const { pk, purgeAtSeconds } of records) {
    // No purge time to go by: it is told as such, and the job may be gone by right.
    const kept = purgeAtSeconds === 0 || nowMs < purgeAtSeconds * 1000;
    if (!job && kept) {
      found.push({ code: 'record-without-job', table, item: pk, detail: `names job ${jobId}` });
    }
  }
  return found;
}

function jobFaults(all: JoinedJob, rules: AuditRules, nowMs: number): Violation[] {
  const { jobId, job, records, claims, hasRequest, rows } = all;
  const table = 'exportJobs';
  if (!job) {
    const madeMs = timeIn(jobId);
    const gone = isTooNew(madeMs, rules) || nowMs >= madeMs + rules.jobRetentionMs;
    if (!hasRequest || gone) return [];
    return [{ code: 'request-without-job', table, item: jobId, detail: 'its job is not stored' }];
  }
  const found: Violation[] = [];
  const say = (code: Violation['code'], detail: string) =>
    void found.push({ code, table, item: `${job.owner} ${jobId}`, detail });
  const tooNew = isTooNew(job.createdAtMs, rules);
  const keyKeptMs = job.keyPurgeAtSeconds * 1000;
  if (records.length === 0 && !tooNew && rules.startedAtMs < keyKeptMs) {
    say('job-without-record', `its key record is to be kept until ${iso(keyKeptMs)}`);
  }
  if (job.hasBatch && claims.length === 0) say('job-without-claim', 'no claim names it');
  if (!job.hasArticleIds && !hasRequest && !tooNew) say('job-without-articles', job.status);
  const kept = job.purgeAtSeconds === 0 || nowMs < job.purgeAtSeconds * 1000;
  if (isFinished(job.status) && rows.length === 0 && kept) say('notification-missing', job.status);
  return found;
}

function claimFaults(all: JoinedJob, rules: AuditRules, nowMs: number): Violation[] {
  const { jobId, job, claims, records } = all;
  return claims.flatMap(({ pk, recordPk, createdAtMs }): Violation[] => {
    if (isTooNew(createdAtMs, rules)) return [];
    const named = { table: 'businessKeys', item: pk };
    const found: Violation[] = [];
    if (!job && nowMs < createdAtMs + rules.jobRetentionMs) {
      found.push({ ...named, code: 'claim-without-job', detail: `names job ${jobId}` });
    }
    const own = records.some((record) => record.pk === recordPk);
    // Until when the record is kept: the job knows; without it, no less than the grace.
    const keptMs = job ? job.keyPurgeAtSeconds * 1000 : createdAtMs + rules.graceMsMin;
    const othersMake = records.length > 0;
    if (!own && (othersMake || rules.startedAtMs < keptMs)) {
      found.push({ ...named, code: 'claim-without-record', detail: `names record ${recordPk}` });
    }
    return found;
  });
}

function rowFaults({ jobId, job, rows }: JoinedJob, rules: AuditRules, nowMs: number): Violation[] {
  return rows.flatMap(({ notificationId, event, createdAtMs, purgeAtSeconds }): Violation[] => {
    const named = { table: 'notifications', item: `${job?.owner ?? ''} ${notificationId}`.trim() };
    // Made after the jobs were read: what the job says by then is not known.
    if (isTooNew(createdAtMs, rules)) return [];
    if (!job) {
      const kept = purgeAtSeconds === 0 || nowMs < purgeAtSeconds * 1000;
      return kept
        ? [{ ...named, code: 'notification-without-job', detail: `names job ${jobId}` }]
        : [];
    }
    return event === `export-job.${job.status}`
      ? []
      : [{ ...named, code: 'notification-differs', detail: `${event}, the job is ${job.status}` }];
  });
}

/** The time in a UUIDv7; 0 for what is none. */
function timeIn(jobId: string): number {
  return Number.parseInt(jobId.replace('-', '').slice(0, 12), 16) || 0;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
