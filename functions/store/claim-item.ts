// A permanent claim on a business key: no TTL, not freed by anything.

import * as z from 'zod';
import type { Claim } from '#idempotency/commit-port.ts';
import { fromItem, type Item } from '#store/item.ts';
import { epochMsSchema } from '#store/record-item.ts';

const claimItemSchema = z.object({
  pk: z.string(),
  jobId: z.string(),
  keyRecordPk: z.string(),
  createdAtMs: epochMsSchema,
});

export function claimToItem(claimKey: string, claim: Claim): Item {
  return {
    pk: claimKey,
    jobId: claim.resourceId,
    keyRecordPk: claim.recordKey,
    createdAtMs: claim.createdAtMs,
  };
}

export function claimFromItem(item: Item): Claim {
  const { jobId, keyRecordPk, createdAtMs } = fromItem(item, claimItemSchema, 'a claim');
  return { resourceId: jobId, recordKey: keyRecordPk, createdAtMs };
}
