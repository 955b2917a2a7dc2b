// What became of an intent, and how sure an empty answer is.
// An empty read is definitive only between two instants: after the last write under this key can have
// been applied, and before its record may have been purged. Anything else is "nothing so far".

import type { CommitOptions } from '#idempotency/commit-once.ts';
import type { RecordReader } from '#idempotency/commit-port.ts';
import { laterOf } from '#idempotency/epoch.ts';
import type { IdempotencyKey } from '#idempotency/idempotency-key.ts';
import type { IdempotencyRecord } from '#idempotency/record.ts';
import { isBelowFloor, isExpired, type KeyHorizon, keyHorizon } from '#idempotency/retention.ts';

export type LookUpRequest = { readonly key: IdempotencyKey; readonly recordKey: string };

export type LookUpOutcome =
  | { readonly kind: 'found'; readonly record: IdempotencyRecord; readonly expired: boolean }
  | { readonly kind: 'none'; readonly definitive: boolean; readonly horizon?: KeyHorizon }
  | { readonly kind: 'store-unavailable' };

/** One strongly consistent read. */
export async function lookUp(
  { key, recordKey }: LookUpRequest,
  port: RecordReader,
  { tries, retention }: Pick<CommitOptions, 'tries' | 'retention'>,
): Promise<LookUpOutcome> {
  const beforeMs = tries.clock.nowMs();
  const read = await tries.read((o) => port.readRecord(recordKey, o));
  const afterMs = laterOf(beforeMs, tries.clock.nowMs());
  if (read.kind === 'failed') return { kind: 'store-unavailable' };
  if (read.kind === 'found') {
    return { kind: 'found', record: read.value, expired: isExpired(read.value, afterMs) };
  }
  const horizon = keyHorizon(key, retention);
  if (!horizon) return { kind: 'none', definitive: false };
  const definitive =
    beforeMs >= horizon.definitiveFromMs &&
    afterMs < horizon.definitiveUntilMs &&
    !isBelowFloor(key, retention);
  return { kind: 'none', definitive, horizon };
}
