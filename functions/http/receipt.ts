// The receipt of a create: small and final. Its bytes are stored with the record of the key and are given
// again as they are, by any later release and under any base path.

import { type ExportJobReceipt, exportJobReceiptSchema } from '#contract/export-job.ts';
import { HEADERS } from '#contract/headers.ts';
import type { MadeJob } from '#export-jobs/create-export-job.ts';
import { type HttpAnswer, imfFixdate } from '#http/answer.ts';
import type { Paths } from '#http/paths.ts';
import { rfc3339 } from '#idempotency/epoch.ts';
import type { CommittedRecord } from '#idempotency/record.ts';

/** Links lead below the base path of this moment. */
export function receiptMaker({ job }: Pick<Paths, 'job'>): (made: MadeJob) => Uint8Array {
  return ({ jobId, createdAtMs, keyExpiresAtMs }) => {
    const receipt: ExportJobReceipt = {
      id: jobId,
      status: 'queued',
      createdAt: rfc3339(createdAtMs),
      keyExpiresAt: rfc3339(keyExpiresAtMs),
      links: { self: job(jobId) },
    };
    return Buffer.from(JSON.stringify(receipt), 'utf8');
  };
}

/** 202: the job exists, its file does not yet. The bytes are those that were stored. */
export function receiptAnswer(record: CommittedRecord, replayed: boolean): HttpAnswer {
  const receipt = exportJobReceiptSchema.parse(
    JSON.parse(Buffer.from(record.receipt).toString('utf8')),
  );
  return {
    status: 202,
    headers: {
      'content-type': 'application/json',
      [HEADERS.location]: receipt.links.self,
      [HEADERS.idempotentReplayed]: `${replayed}`,
      [HEADERS.idempotencyExpires]: imfFixdate(record.expiresAtMs),
    },
    body: record.receipt,
  };
}
