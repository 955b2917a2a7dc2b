// A simulation for the terminal: the three runs side by side, and the refusals by age as a chart.

import { BAND_ENDS_MS } from '#ops/retention/logs/find.ts';
import { durationText, instantText } from '#ops/retention/output/duration-text.ts';
import { numberText, table } from '#ops/retention/output/text-table.ts';
import type { Played } from '#ops/retention/simulation/play.ts';
import type { Simulation } from '#ops/retention/simulation/simulation.ts';

const BAR_COLUMNS = 24;

export function simulationText(simulation: Simulation, about: string): string {
  return [
    about,
    `through: the arrivals stand around ${instantText(simulation.pivotMs)}, both releases answering in turn`,
    '',
    ...countsTable(simulation),
    '',
    ...refusalsChart(simulation),
    ...brokenLines(simulation.through),
  ].join('\n');
}

function countsTable({ before, through, after }: Simulation): string[] {
  const row = (name: string, count: (played: Played) => number) => [
    name,
    ...[before, through, after].map((played) => numberText(count(played))),
  ];
  return table(
    ['', 'before', 'through', 'after'],
    [
      row('attempts', ({ attempts }) => attempts),
      row('look-ups', ({ lookUps }) => lookUps),
      row('jobs made', ({ made }) => made),
      row('replayed', ({ replayed }) => replayed),
      row('refused as too late', ({ refusedLate }) => refusedLate),
      row('no answer, or otherwise', ({ otherwise }) => otherwise),
      row('DUPLICATES (time-stamped)', ({ duplicates }) => duplicates),
      row('PROMISES BROKEN', ({ broken }) => broken),
      row('opaque keys made anew', ({ madeAnew }) => madeAnew),
    ],
    { textColumns: [0] },
  );
}

/** How old the refused were: the part of a change that callers feel. */
function refusalsChart({ before, after }: Simulation): string[] {
  const bands = [...BAND_ENDS_MS, Number.POSITIVE_INFINITY].map((toMs, index) => {
    const fromMs = BAND_ENDS_MS[index - 1] ?? Number.NEGATIVE_INFINITY;
    const within = ({ refusedAgesMs }: Played) =>
      refusedAgesMs.filter((ageMs) => ageMs >= fromMs && ageMs < toMs).length;
    return { fromMs, toMs, before: within(before), after: within(after) };
  });
  const shown = bands.filter((band) => band.before + band.after > 0);
  if (shown.length === 0) return ['  nothing was refused as too late, before or after'];
  const most = Math.max(...shown.flatMap((band) => [band.before, band.after]));
  const bar = (count: number) => '#'.repeat(Math.ceil((BAR_COLUMNS * count) / most));
  return table(
    ['refused at age', 'before', '', 'after', ''],
    shown.map((band) => [
      bandName(band.fromMs, band.toMs),
      numberText(band.before),
      bar(band.before),
      numberText(band.after),
      bar(band.after),
    ]),
    { textColumns: [0, 2, 4] },
  );
}

function bandName(fromMs: number, toMs: number): string {
  if (toMs === Number.POSITIVE_INFINITY) return `${durationText(fromMs)} and more`;
  if (fromMs === Number.NEGATIVE_INFINITY) return `under ${durationText(toMs)}`;
  return `${durationText(fromMs)} – ${durationText(toMs)}`;
}

const PROMISE_TEXT = {
  expires: 'was refused, or made anew, before the Idempotency-Expires it was told',
  'admissible-until': 'was refused before the instant a look-up had told',
  'definitive-from': 'made a job after the instant from which a look-up had told that none is made',
  definitive: 'has a job though an empty look-up was definitive',
} as const;

function brokenLines({ examples }: Played): string[] {
  if (examples.length === 0) return [];
  return [
    '',
    ...examples
      .slice(0, 5)
      .map(
        ({ key, promise, atMs }) => `  ${instantText(atMs)}: key ${key} ${PROMISE_TEXT[promise]}`,
      ),
  ];
}
