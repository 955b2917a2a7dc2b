// A report for the terminal: what was read, how late retries came, a histogram by age, and what each
// window would have refused and costs. Plain text, at most 100 columns, no colour to rely on.

import { shareText } from '#ops/retention/logs/find.ts';
import type { Band, Findings } from '#ops/retention/logs/findings.ts';
import { durationText, instantText, isoDuration } from '#ops/retention/output/duration-text.ts';
import { remarksOn } from '#ops/retention/output/report-remarks.ts';
import { bytesText, numberText, table, usdText } from '#ops/retention/output/text-table.ts';

/** Columns of the longest bar. */
const BAR_COLUMNS = 40;

export function reportText(findings: Findings): string {
  return [
    `${numberText(findings.attempts)} create attempts from ${instantText(findings.fromMs)} to ${instantText(findings.toMs)}, ${findings.source}`,
    `in force: window ${durationText(findings.inForce.windowMs)}, grace ${durationText(findings.inForce.graceMs)} (${findings.inForce.source})`,
    '',
    ...latenessTable(findings),
    '',
    ...ageTable(findings.bands),
    '',
    ...windowTable(findings),
    '',
    ...remarksOn(findings).map((remark) => `- ${remark}`),
    ...findings.assumptions.map((line) => `- assumed: ${line}`),
  ].join('\n');
}

function latenessTable({ retries, firsts }: Findings): string[] {
  const shares = retries.percentiles.length > 0 ? retries.percentiles : firsts.percentiles;
  if (shares.length === 0) return ['no attempt whose lateness is known'];
  const row = (name: string, { count, percentiles, largestMs }: Findings['retries']) => [
    name,
    numberText(count),
    ...percentiles.map(({ latenessMs }) => durationText(latenessMs)),
    ...(largestMs === undefined ? [] : [durationText(largestMs)]),
  ];
  return table(
    [
      'lateness',
      'count',
      ...shares.map(({ share }) => `p${Number((share * 100).toFixed(2))}`),
      'largest',
    ],
    [row('retries', retries), row('first attempts', firsts)],
  );
}

/** Every band between the first and the last that holds something. */
function ageTable(bands: readonly Band[]): string[] {
  const shown = shownBands(bands);
  const most = Math.max(1, ...shown.map(({ band }) => band.replayed + band.refused + band.late));
  return [
    ...table(
      ['age', 'first', 'replayed', 'refused', 'too late', ''],
      shown.map(({ name, band }) => [
        name,
        numberText(band.first),
        numberText(band.replayed),
        numberText(band.refused),
        numberText(band.late),
        bar(band, most),
      ]),
    ),
    '  # replayed   o refused (other parameters, abandoned)   x too late: 412   bars on a log scale',
  ];
}

function bar({ replayed, refused, late }: Band, most: number): string {
  const total = replayed + refused + late;
  if (total === 0) return '';
  // On a log scale one lonely late retry is still seen beside a million early ones.
  const columns = Math.max(1, Math.round((BAR_COLUMNS * Math.log1p(total)) / Math.log1p(most)));
  const part = (count: number) =>
    count === 0 ? 0 : Math.max(1, Math.round((columns * count) / total));
  return `${'#'.repeat(part(replayed))}${'o'.repeat(part(refused))}${'x'.repeat(part(late))}`;
}

function windowTable({ candidates, retries }: Findings): string[] {
  return table(
    [
      'window',
      '',
      'retries covered',
      'refused',
      'firsts refused',
      'stored keys',
      'to purge',
      'bytes',
      'a month',
      '',
    ],
    candidates.map((each) => [
      isoDuration(each.windowMs),
      durationText(each.windowMs),
      retries.count === 0 ? '-' : coveredText(each.retriesBeyond, retries.count),
      numberText(each.retriesBeyond),
      numberText(each.firstsBeyond),
      numberText(each.storedKeys),
      numberText(each.purgeBacklogKeys),
      bytesText(each.bytes),
      usdText(each.storageUsdPerMonth + each.writesUsdPerMonth),
      each.label,
    ]),
    { textColumns: [0, 1, 9] },
  );
}

/** Rounded down, so that 100 % means all of them; more digits where nines are counted. */
export function coveredText(beyond: number, count: number): string {
  const digits = beyond / count > 0.01 ? 1e3 : 1e6;
  return shareText(Math.floor(((count - beyond) / count) * digits) / digits);
}

export function shownBands(
  bands: readonly Band[],
): { readonly name: string; readonly band: Band }[] {
  const holds = (band: Band) => band.first + band.replayed + band.refused + band.late > 0;
  const first = bands.findIndex(holds);
  const last = bands.findLastIndex(holds);
  return bands.slice(Math.max(0, first), last + 1).map((band, offset) => {
    const fromMs = bands[Math.max(0, first) + offset - 1]?.toMs;
    const name =
      band.toMs === undefined
        ? `${durationText(fromMs ?? 0)} and more`
        : fromMs === undefined
          ? `under ${durationText(band.toMs)}`
          : `${durationText(fromMs)} – ${durationText(band.toMs)}`;
    return { name, band };
  });
}
