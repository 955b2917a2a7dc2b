// What is told of each attempt: to `onAttempt` as it ends, and in every error.

import {
  type AttemptOutcome,
  type Effect,
  type Executed,
  executedBy,
  type ForeignReason,
  type LostReason,
  type UnsentReason,
} from '#client/outcome.ts';

export interface AttemptReport {
  /** Counted from 1; sent as X-Request-Attempt. */
  readonly attempt: number;
  /** Sent as X-Request-Id; names the attempt in the service's logs. */
  readonly requestId: string;
  readonly tookMs: number;
  /** Did this attempt take effect. */
  readonly executed: Executed;
  /** What the service said of the intent as a whole, where it knew. */
  readonly intent?: 'committed' | 'abandoned';
  /** Of the answer, when there was one. */
  readonly status?: number;
  /** Code of the service's problem. */
  readonly code?: string;
  /** Why there was no answer that counts. */
  readonly failure?: UnsentReason | LostReason | ForeignReason;
  /** The service's clock less ours, when they are at least 3 s apart. Milliseconds. */
  readonly clockOffsetMs?: number;
  /** The next attempt follows after this long. Absent: there is none. */
  readonly retryInMs?: number;
}

export function attemptReport(
  sent: Pick<AttemptReport, 'attempt' | 'requestId' | 'tookMs' | 'clockOffsetMs'>,
  outcome: AttemptOutcome<unknown>,
  { effect, retryInMs }: { readonly effect: Effect; readonly retryInMs?: number | undefined },
): AttemptReport {
  return {
    ...sent,
    executed: executedBy(outcome, effect),
    ...knownIntent(outcome),
    ...('status' in outcome && { status: outcome.status }),
    ...(outcome.kind === 'problem' && { code: outcome.problem.code }),
    ...('why' in outcome && { failure: outcome.why }),
    ...(retryInMs !== undefined && { retryInMs }),
  };
}

function knownIntent(outcome: AttemptOutcome<unknown>): Pick<AttemptReport, 'intent'> {
  const intent = outcome.kind === 'problem' ? outcome.problem.intent : undefined;
  return intent === 'committed' || intent === 'abandoned' ? { intent } : {};
}
