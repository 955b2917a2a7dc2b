// A reason why a change of the schedule is refused: the rule, and what would happen, in words and times.

import type { CounterExample } from '#ops/retention/simulation/counter-example.ts';

export type RefusalKind =
  | 'live-differs'
  | 'not-appended'
  | 'changes-nothing'
  | 'too-early'
  | 'promise-shortened'
  | 'grace-too-short'
  | 'does-not-start'
  | 'retry-horizon'
  | 'retries-seen';

export type Refusal = {
  readonly kind: RefusalKind;
  readonly sentence: string;
  /** What would happen, in words and times. */
  readonly counterExample: string;
  /** Played, where arrivals can show it. */
  readonly shown?: CounterExample;
};
