// One intent for a person, or for a program. Times in UTC; what is absent is said, not left out.

import type { Job } from '#export-jobs/job.ts';
import type { Claim } from '#idempotency/commit-port.ts';
import { type EpochMs, rfc3339 } from '#idempotency/epoch.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import { isExpired } from '#idempotency/retention.ts';
import type { Principal } from '#idempotency/scope.ts';
import type { Asked, Intent } from '#ops/inspect/intent.ts';
import type { Told } from '#ops/inspect/told-now.ts';
import type { OutboxRow } from '#store/outbox-row.ts';

export type IntentReport = {
  readonly asked: Asked;
  readonly principal: Principal;
  readonly where: string;
  readonly intent: Intent;
  readonly found: readonly string[];
  readonly told: readonly Told[];
  readonly nowMs: EpochMs;
};

export function intentAsJson({ principal, intent, found, told, nowMs }: IntentReport): string {
  const { record, ...rest } = intent;
  const receipt = record?.state === 'committed' ? Buffer.from(record.receipt).toString('utf8') : '';
  const shown = {
    now: rfc3339(nowMs),
    principal,
    ...rest,
    record: record ? { ...record, ...(receipt && { receipt }) } : null,
    told,
    agrees: found.length === 0,
    disagreements: found,
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

export function intentAsText(report: IntentReport): string {
  const { principal, intent, found, told, nowMs, where } = report;
  const lines = [
    `${where}, ${rfc3339(nowMs)}`,
    row('caller', `${principal.subject} of ${principal.issuer}`),
    row('owner', intent.owner),
    row('key', keyWords(intent)),
    row('key record', recordWords(intent.record, nowMs)),
    row('job', jobWords(intent.job)),
    row('batch claim', claimWords(intent)),
    ...(intent.rows.length > 0 ? intent.rows.map(rowWords) : ['none']).map((words) =>
      row('notification', words),
    ),
  ];
  if (told.length > 0) lines.push('', 'A caller would be told now, for');
  for (const { when, answer, sentence } of told) {
    lines.push(`  ${when.padEnd(32)} ${answer.padEnd(26)} ${sentence}`);
  }
  lines.push('');
  if (found.length === 0) lines.push('What is stored agrees.');
  else lines.push('What is stored does NOT agree:', ...found.map((sentence) => `  - ${sentence}`));
  return `${lines.join('\n')}\n`;
}

const row = (name: string, words: string) => `${name.padEnd(14)} ${words}`;

function keyWords({ key, recordKey }: Intent): string {
  if (!key) return 'not known';
  const minted = key.kind === 'time-stamped' ? `, minted ${rfc3339(key.mintedAtMs)}` : '';
  return `${key.value} (${key.kind}${minted}; in logs ${recordKey?.slice(0, 12)})`;
}

function recordWords(record: IdempotencyRecord | undefined, nowMs: EpochMs): string {
  if (!record) return 'none';
  const { state, committedAtMs, expiresAtMs, purgeAtSeconds, attemptId } = record;
  const life = isExpired(record, nowMs) ? 'expired' : 'live until';
  const made = state === 'committed' ? `, job ${record.resourceId}` : '';
  return `${state} ${rfc3339(committedAtMs)}, ${life} ${rfc3339(expiresAtMs)}, purged from ${seconds(purgeAtSeconds)}${made}, attempt ${attemptId}`;
}

function jobWords(job: Job | undefined): string {
  if (!job) return 'none';
  const times = [
    `created ${rfc3339(job.createdAtMs)}`,
    job.startedAtMs && `started ${rfc3339(job.startedAtMs)}`,
    job.finishedAtMs && `finished ${rfc3339(job.finishedAtMs)}`,
    job.leaseUntilMs && `leased until ${rfc3339(job.leaseUntilMs)}`,
    job.purgeAtSeconds && `purged from ${seconds(job.purgeAtSeconds)}`,
  ].filter(Boolean);
  const file = job.file ? `, file of ${job.file.bytes} bytes` : '';
  const error = job.error ? `, ${job.error.code}: ${job.error.detail}` : '';
  const cancel = job.cancelRequested ? ', cancel requested' : '';
  return `${job.jobId} ${job.status}, run ${job.run}, ${times.join(', ')}${file}${error}${cancel}`;
}

function claimWords({ claim, sourceBatchId, recordKey }: Intent): string {
  if (sourceBatchId === undefined) return 'none asked for';
  return claim ? `${sourceBatchId}: ${ofClaim(claim, recordKey)}` : `${sourceBatchId}: none`;
}

function ofClaim({ resourceId, createdAtMs, recordKey }: Claim, own: string | undefined): string {
  const by =
    recordKey === own ? 'by this key' : `by another key (in logs ${recordKey.slice(0, 12)})`;
  return `job ${resourceId}, claimed ${rfc3339(createdAtMs)} ${by}`;
}

function rowWords(owed: OutboxRow): string {
  const settled = owed.settledAtMs === undefined ? '' : ` ${rfc3339(owed.settledAtMs)}`;
  const due = owed.dueAtMs === undefined ? '' : `, due ${rfc3339(owed.dueAtMs)}`;
  return `${owed.event}, ${owed.state}${settled}${due}, created ${rfc3339(owed.createdAtMs)}`;
}

function seconds(value: number): string {
  return new Date(value * 1000).toISOString();
}
