// Is a change of the schedule safe, and if not, why? Each refusal names its rule and shows what would go
// wrong. Safe means: no time-stamped key makes a second job, and nothing that callers were told breaks.
// Must never: call a change safe because something could not be checked.

import type { RetentionPolicy } from '#idempotency/retention-schedule.ts';
import { appendingRefusals } from '#ops/retention/schedule/appending-rules.ts';
import type { Change } from '#ops/retention/schedule/change.ts';
import { type ClientNeeds, clientRefusals } from '#ops/retention/schedule/client-rules.ts';
import { type Deployment, deploymentRefusals } from '#ops/retention/schedule/deployment.ts';
import type { Refusal, RefusalKind } from '#ops/retention/schedule/refusal.ts';
import { findCounterExample } from '#ops/retention/simulation/counter-example.ts';

export type Asked = {
  readonly change: Change;
  /** The schedule that the operator holds for the one in force, if one was given. */
  readonly held?: RetentionPolicy;
  readonly deployment: Deployment;
  readonly needs: ClientNeeds;
};

export type Plan = { readonly safe: boolean; readonly refusals: readonly Refusal[] };

/** Refusals that two arrivals at two releases can show. */
export const SHOWN_BY_PLAY: ReadonlySet<RefusalKind> = new Set([
  'not-appended',
  'too-early',
  'promise-shortened',
]);

export async function planChange({ change, held, deployment, needs }: Asked): Promise<Plan> {
  const appending = appendingRefusals(change, held);
  const shown = appending.some(({ kind }) => SHOWN_BY_PLAY.has(kind))
    ? await findCounterExample(change)
    : undefined;
  const refusals = [
    ...appending.map((refusal) =>
      shown && SHOWN_BY_PLAY.has(refusal.kind)
        ? { ...refusal, counterExample: `${refusal.counterExample} ${shown.sentence}`, shown }
        : refusal,
    ),
    ...deploymentRefusals(change.proposed, deployment),
    ...clientRefusals(change, needs),
  ];
  return { safe: refusals.length === 0, refusals };
}
