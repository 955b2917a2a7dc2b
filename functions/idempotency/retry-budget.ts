// How many retries one process may send, over all its attempts: first tries are free, retries spend,
// successes earn. While a store refuses for minutes, each attempt then costs it one call instead of eight.
// A token bucket with the numbers of the AWS SDK's standard retry mode; nothing here knows a clock.

/** Tokens of a full bucket: a hundred retries. */
export const RETRY_TOKENS_MAX = 500;
/** Of one retry. */
export const RETRY_COST = 5;
/** What a call that succeeds at its first try earns; one that needed retries gets the last one's cost back. */
export const SUCCESS_EARNS = 1;

export type RetryBudget = {
  /** Takes the cost of one retry. @returns false when it is not there: then do not retry */
  readonly spend: () => boolean;
  /** @param retried did it take retries? */
  readonly succeeded: (retried: boolean) => void;
  /** Is there not even one retry left? */
  readonly isSpent: () => boolean;
};

export function createRetryBudget(tokensMax = RETRY_TOKENS_MAX): RetryBudget {
  let tokens = tokensMax;
  return {
    spend() {
      if (tokens < RETRY_COST) return false;
      tokens -= RETRY_COST;
      return true;
    },
    succeeded(retried) {
      tokens = Math.min(tokensMax, tokens + (retried ? RETRY_COST : SUCCESS_EARNS));
    },
    isSpent: () => tokens < RETRY_COST,
  };
}
