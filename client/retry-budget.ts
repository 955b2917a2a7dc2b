// A retry budget: a token bucket, one an origin, shared by all calls (and clients) of this process.
// First attempts never ask it. A retry and a last look-up take a token; an answer that is not a passing
// error puts a tenth of one back. So a short fault is retried freely, and in a lasting outage, when
// nothing puts tokens back, the load on the service falls to that of the first attempts.

/** Tokens of a full bucket: two calls may use all their retries before anything has to succeed. */
export const RETRY_TOKENS_MAX = 10;
/** Put back by an answer, tokens: in the long run at most one retry for ten answers. */
export const RETRY_TOKENS_PER_ANSWER = 0.1;

export interface RetryBudget {
  /** Whether a token is there; takes none. */
  readonly allows: () => boolean;
  /** @returns false, and takes nothing, when there is none */
  readonly take: () => boolean;
  /** The service answered: it is there, and can be asked again. */
  readonly putBack: () => void;
}

export function retryBudget(
  tokensMax = RETRY_TOKENS_MAX,
  tokensPerAnswer = RETRY_TOKENS_PER_ANSWER,
): RetryBudget {
  // Counted in whole thousandths: ten times 0.1 is one token.
  const maxMilli = Math.round(tokensMax * 1000);
  const perAnswerMilli = Math.round(tokensPerAnswer * 1000);
  let milli = maxMilli;
  return {
    allows: () => milli >= 1000,
    take() {
      if (milli < 1000) return false;
      milli -= 1000;
      return true;
    },
    putBack() {
      milli = Math.min(maxMilli, milli + perAnswerMilli);
    },
  };
}

/** Of the process, not of this copy of the package: a program may hold it twice, as ES module and CommonJS. */
const BUDGETS = Symbol.for('export-once.retryBudgets');

/** The one bucket of an origin in this process. */
export function sharedRetryBudget(origin: string): RetryBudget {
  const known: Map<string, RetryBudget> | undefined = Reflect.get(globalThis, BUDGETS);
  const budgets = known ?? new Map<string, RetryBudget>();
  if (known === undefined) Reflect.set(globalThis, BUDGETS, budgets);
  let budget = budgets.get(origin);
  if (budget === undefined) {
    budget = retryBudget();
    budgets.set(origin, budget);
  }
  return budget;
}
