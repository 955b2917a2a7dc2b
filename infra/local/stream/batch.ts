// What Lambda does with one batch of a DynamoDB stream: deliver, and when the function fails, try
// again, in halves or from the first failed record, a bounded number of times; what cannot be
// delivered goes to the dead letters and the shard moves on. Never skips a record in silence.

import type { Outcome } from '#local/lambda/host-messages.ts';
import type { StreamSource } from '#local/stack/service-definition.ts';

export interface StreamRecord {
  readonly sequenceNumber: string;
  readonly createdAtMs: number;
  /** As in the event that Lambda hands over. */
  readonly event: object;
}

export interface BatchPorts {
  invoke(records: readonly StreamRecord[]): Promise<Outcome>;
  /** Everything up to this record is done. */
  checkpoint(sequenceNumber: string): void;
  discard(records: readonly StreamRecord[], reason: 'retries-exhausted' | 'too-old'): void;
  /** Waits before a retry; `retry` counts from 1. */
  backoff(retry: number): Promise<void>;
  nowMs(): number;
  stopped(): boolean;
}

interface Piece {
  readonly records: readonly StreamRecord[];
  readonly retries: number;
}

export async function deliverBatch(
  records: readonly StreamRecord[],
  source: StreamSource,
  ports: BatchPorts,
): Promise<void> {
  const pieces: Piece[] = [{ records, retries: 0 }];
  for (
    let piece = pieces.shift();
    piece !== undefined && !ports.stopped();
    piece = pieces.shift()
  ) {
    pieces.unshift(...(await deliverPiece(piece, source, ports)));
  }
}

/** @returns what is left to do, in order, before the pieces that follow */
async function deliverPiece(
  piece: Piece,
  source: StreamSource,
  ports: BatchPorts,
): Promise<Piece[]> {
  const oldestMs = ports.nowMs() - source.recordAgeMaxS * 1000;
  const young = piece.records.filter((record) => record.createdAtMs >= oldestMs);
  const old = piece.records.filter((record) => record.createdAtMs < oldestMs);
  if (old.length > 0) ports.discard(old, 'too-old');
  const last = piece.records.at(-1);
  if (last === undefined) return [];
  const outcome = young.length === 0 ? SUCCESS : await ports.invoke(young);
  if (ports.stopped()) return [];
  const failedFrom = firstFailed(young, outcome, source);
  if (failedFrom === undefined) {
    ports.checkpoint(last.sequenceNumber);
    return [];
  }
  const lastDone = young[failedFrom - 1];
  if (lastDone !== undefined) ports.checkpoint(lastDone.sequenceNumber);
  const rest = young.slice(failedFrom);
  if (source.bisect && failedFrom === 0 && rest.length > 1 && !namesFirst(outcome)) {
    // Splitting is not a retry.
    const middle = rest.length >> 1;
    const { retries } = piece;
    return [
      { records: rest.slice(0, middle), retries },
      { records: rest.slice(middle), retries },
    ];
  }
  if (piece.retries >= source.retriesMax) {
    ports.discard(rest, 'retries-exhausted');
    ports.checkpoint(last.sequenceNumber);
    return [];
  }
  await ports.backoff(piece.retries + 1);
  return [{ records: rest, retries: piece.retries + 1 }];
}

const SUCCESS: Outcome = { ok: true, result: null };

/**
 * Index of the first record that must be delivered again; undefined when all are done. The lowest
 * reported number counts; an identifier that is empty or unknown fails the whole batch.
 */
function firstFailed(
  records: readonly StreamRecord[],
  outcome: Outcome,
  source: StreamSource,
): number | undefined {
  if (!outcome.ok) return 0;
  const failures = reported(outcome);
  if (!source.reportsItemFailures || failures.length === 0) return undefined;
  const at = failures.map((id) => records.findIndex((record) => record.sequenceNumber === id));
  return Math.max(0, Math.min(...at));
}

/** The function said which record failed, so halving the batch would find out nothing. */
function namesFirst(outcome: Outcome): boolean {
  return outcome.ok && reported(outcome).some((id) => typeof id === 'string' && id !== '');
}

function reported(outcome: Outcome): readonly unknown[] {
  const result = outcome.ok ? outcome.result : null;
  const failures =
    typeof result === 'object' && result !== null && 'batchItemFailures' in result
      ? result.batchItemFailures
      : [];
  return Array.isArray(failures) ? failures.map((failure) => failure?.itemIdentifier) : [];
}
