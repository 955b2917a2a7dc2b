// `retention simulate`: recorded or synthetic arrivals, played before, through and after a change.

import { EXIT_FOUND, OpsError } from '#ops/ops-error.ts';
import { readLogLine } from '#ops/retention/logs/create-attempt-line.ts';
import { readEach } from '#ops/retention/logs/read-report.ts';
import { durationOption, durationText } from '#ops/retention/output/duration-text.ts';
import { simulationText } from '#ops/retention/output/simulation-text.ts';
import { numberText } from '#ops/retention/output/text-table.ts';
import { type ChangeOptions, readChange } from '#ops/retention/run-plan.ts';
import { numberOption } from '#ops/retention/run-report.ts';
import { readLive } from '#ops/retention/schedule/schedule-sources.ts';
import { findCounterExample } from '#ops/retention/simulation/counter-example.ts';
import type { Arrival } from '#ops/retention/simulation/play.ts';
import { recordArrivals } from '#ops/retention/simulation/recorded-arrivals.ts';
import { pivotOf, simulate } from '#ops/retention/simulation/simulation.ts';
import { readLateness, syntheticArrivals } from '#ops/retention/simulation/synthetic-arrivals.ts';

export type SimulateOptions = ChangeOptions & {
  readonly keys: string;
  readonly lateness: string;
  readonly opaque: string;
  readonly span: string;
  readonly seed: string;
  readonly purgeLag?: string;
  readonly attemptsMax: string;
};

/** @throws OpsError */
export async function runSimulate(
  logs: readonly string[],
  options: SimulateOptions,
): Promise<void> {
  const change = await readChange(options, await readLive(options.live));
  const { arrivals, about } =
    logs.length > 0 ? await recorded(logs, options) : synthetic(options, pivotOf(change));
  const purgeLagMs = options.purgeLag === undefined ? 0 : durationOption(options.purgeLag);
  const simulation = await simulate(arrivals, change, purgeLagMs);
  console.log(simulationText(simulation, about));
  const { duplicates, broken } = simulation.through;
  // Harm can hang on two instants that no crowd happens to hit: they are sought as plan seeks them.
  const found = await findCounterExample(change);
  if (found) console.log(`\n  A pair of arrivals that this change harms: ${found.sentence}`);
  if (duplicates + broken > 0 || found) process.exitCode = EXIT_FOUND;
}

type Material = { readonly arrivals: readonly Arrival[]; readonly about: string };

async function recorded(logs: readonly string[], options: SimulateOptions): Promise<Material> {
  const recording = recordArrivals(numberOption('--attempts-max', options.attemptsMax) ?? 0);
  await readEach(logs, (line) => {
    const read = readLogLine(line);
    if (read.kind === 'attempt') recording.add(read.attempt);
  });
  const arrivals = recording.arrivals();
  if (arrivals.length === 0) throw new OpsError('No create attempt is among these lines.');
  const share = recording.oneIn() === 1 ? 'every key' : `one key in ${recording.oneIn()}`;
  return { arrivals, about: `${numberText(arrivals.length)} recorded attempts, ${share}` };
}

function synthetic(options: SimulateOptions, aroundMs: number): Material {
  const keys = numberOption('--keys', options.keys) ?? 0;
  const arrivals = syntheticArrivals({
    keys,
    opaquePercent: numberOption('--opaque', options.opaque) ?? 0,
    spanMs: durationOption(options.span),
    aroundMs,
    lateness: readLateness(options.lateness),
    seed: numberOption('--seed', options.seed) ?? 1,
  });
  const over = durationText(durationOption(options.span));
  return {
    arrivals,
    about: `${numberText(keys)} synthetic keys minted over ${over}, ${options.lateness}`,
  };
}
