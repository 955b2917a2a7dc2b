// The simulated store: the ports over one set of tables in memory, on a clock and on journeys that a test
// holds. It knows only what the ports promise; the suites in test/ports/ hold it to that.

import { type SimulatedTables, simulatedTables } from '#test/support/simulated/tables.ts';
import { CALM, createTravel, type Journeys, type Travel } from '#test/support/simulated/travel.ts';

export type SimulatedStore = {
  readonly tables: SimulatedTables;
  readonly travel: Travel;
  /** How long TTL takes to remove a record that is past its purge time, milliseconds. */
  readonly ttlLagMs: () => number;
  /** When a sweep looks at what should have moved by itself, milliseconds. */
  readonly due: { readonly queuedAfterMs: number; readonly leaseOverdueMs: number };
};

export type SimulatedWorld = {
  /** The one true clock. */
  readonly nowMs: () => number;
  readonly journeys?: Journeys;
  readonly ttlLagMs?: () => number;
  readonly due?: SimulatedStore['due'];
};

export function simulatedStore({
  nowMs,
  journeys = CALM,
  ttlLagMs = () => 0,
  due = { queuedAfterMs: 0, leaseOverdueMs: 0 },
}: SimulatedWorld): SimulatedStore {
  const tables = simulatedTables();
  const travel = createTravel({ nowMs, journeys, passTime: tables.purge });
  return { tables, travel, ttlLagMs, due };
}
