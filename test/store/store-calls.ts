// One call of every kind of write that the service makes to DynamoDB, with every input fixed, so that the
// bytes on the wire can be compared from one release to the next.

import type { ExportJobEffect } from '#export-jobs/create-port.ts';
import type { Job } from '#export-jobs/job.ts';
import type { Finish, HeldEnd } from '#export-jobs/job-lease-port.ts';
import type { wire } from '#handlers/wiring.ts';
import type { SendOptions } from '#idempotency/commit-port.ts';
import { type EpochMs, type EpochSeconds, epochMs } from '#idempotency/epoch.ts';
import type { AbandonedRecord, CommittedRecord } from '#idempotency/record.ts';

const AT_MS = 1_790_000_000_000;
const AT: EpochMs = epochMs(AT_MS);
const PURGE = (AT_MS / 1000 + 2 * 86_400) as EpochSeconds;
const JOB_ID = '019a4f5e-9d21-7c44-8f10-5b7de8a1c902';
const FENCE = { run: 2, leaseId: 'lease-of-run-2' };
const OPTIONS: SendOptions = {
  token: 'token-1',
  timeoutMs: 5_000,
  maySend: () => true,
  afterUnknown: false,
};

const RECORD: CommittedRecord = {
  state: 'committed',
  recordKey: 'record-key',
  attemptId: 'attempt-1',
  committedAtMs: AT,
  expiresAtMs: epochMs(AT_MS + 86_400_000),
  purgeAtSeconds: PURGE,
  fingerprint: { whole: 'v1:hash', members: { articleIds: 'digest-1', format: 'digest-2' } },
  receipt: Buffer.from('{"id":"receipt"}'),
  resourceId: JOB_ID,
};
const ABANDONED: AbandonedRecord = {
  state: 'abandoned',
  recordKey: 'record-key',
  attemptId: 'attempt-2',
  committedAtMs: AT,
  expiresAtMs: RECORD.expiresAtMs,
  purgeAtSeconds: PURGE,
};
const NEW_JOB = {
  owner: 'owner',
  jobId: JOB_ID,
  status: 'queued',
  idempotencyKey: 'key-1',
  format: 'epub',
  language: 'zh-Hant',
  articleCount: 2,
  title: '標題',
  sourceBatchId: 'batch-1',
  articleIds: ['a-1', 'a-2'],
  createdAtMs: AT,
  progressDone: 0,
  run: 0,
  keyPurgeAtSeconds: PURGE,
} as const satisfies Job;
const RUNNING: Job = { ...NEW_JOB, status: 'running', ...FENCE, leaseUntilMs: epochMs(AT_MS + 9) };

const finishOf = (heldEnd: HeldEnd, job: Job = RUNNING): Finish => ({
  ...heldEnd,
  job,
  finishedAtMs: epochMs(AT_MS + 60_000),
  purgeAtSeconds: PURGE,
});
const held = { by: 'fence', fence: FENCE } as const;
const missing = { code: 'articles-missing', detail: '2 are missing', missing: [0, 9] } as const;

type Stores = Pick<ReturnType<typeof wire>, 'commits' | 'records' | 'leases'>;

/** Each call by its name, in an order that does not matter: nothing is asserted of the answers. */
export function storeCalls({ commits, records, leases }: Stores) {
  const create = (effect: ExportJobEffect) => () => commits.prepare(RECORD, effect).send(OPTIONS);
  const finish = (request: Finish) => () => leases.finishIfHeld(request, OPTIONS);
  const articleIds = Array.from({ length: 200 }, (_, n) => `article-${n}`);
  return {
    create: create({ job: NEW_JOB }),
    'create with a claim': create({ job: NEW_JOB, claimKey: 'claim-key' }),
    'create of a large request with a claim': create({
      job: { ...NEW_JOB, articleCount: 200, articleIds },
      claimKey: 'claim-key',
    }),
    abandon: () => records.putAbandoned(ABANDONED, OPTIONS),
    'renew an abandonment': () =>
      records.renewAbandoned(ABANDONED, { ...ABANDONED, attemptId: 'attempt-1' }, OPTIONS),
    claim: () =>
      leases.claimLease(
        { owner: 'owner', jobId: JOB_ID },
        { leaseId: 'lease-1', nowMs: AT, leaseUntilMs: epochMs(AT_MS + 60_000), runsMax: 5 },
        OPTIONS,
      ),
    renew: () =>
      leases.renewLease(
        { job: RUNNING, fence: FENCE },
        { leaseUntilMs: epochMs(AT_MS + 90_000), progressDone: 1 },
        OPTIONS,
      ),
    release: () =>
      leases.releaseLease({ job: RUNNING, fence: FENCE }, epochMs(AT_MS + 1_000), OPTIONS),
    'request a cancel': () => leases.requestCancel({ owner: 'owner', jobId: JOB_ID }, OPTIONS),
    'finish: succeeded': finish(
      finishOf({ held, end: { status: 'succeeded', file: { bytes: 12, sha256: 'ab' } } }),
    ),
    'finish: failed': finish(finishOf({ held, end: { status: 'failed', error: missing } })),
    'finish: cancelled': finish(finishOf({ held, end: { status: 'cancelled' } })),
    'finish: runs exhausted': finish(
      finishOf({
        held: { by: 'lapsed-lease', fence: FENCE, nowMs: epochMs(AT_MS + 60_000) },
        end: { status: 'failed', error: { code: 'runs-exhausted', detail: 'five runs' } },
      }),
    ),
    'finish: cancelled while queued': finish(
      finishOf({ held: { by: 'nobody' }, end: { status: 'cancelled' } }, NEW_JOB),
    ),
  };
}
