// The two charts of the page: attempts by age as bars, and the share of retries beyond a window as a
// curve. Shapes stretch with the page and words do not: labels are text beside the drawing, in percent of
// its box, so that they stay readable on a phone.

import { shareText } from '#ops/retention/logs/find.ts';
import type { Band, Findings } from '#ops/retention/logs/findings.ts';
import { durationText } from '#ops/retention/output/duration-text.ts';

import { shownBands } from '#ops/retention/output/report-text.ts';
import { numberText } from '#ops/retention/output/text-table.ts';

const PARTS = [
  ['first', 'first attempts'],
  ['replayed', 'replayed'],
  ['refused', 'refused: other parameters, abandoned'],
  ['late', 'refused: too late'],
] as const;

export function ageChart({ bands, inForce }: Findings): string {
  const shown = shownBands(bands);
  const most = Math.max(1, ...shown.map(({ band }) => sum(band)));
  const rows = shown.map(({ name, band }) => {
    const total = sum(band);
    const length = total === 0 ? 0 : Math.max(1.5, (100 * Math.log1p(total)) / Math.log1p(most));
    const parts = PARTS.filter(([part]) => band[part] > 0).map(
      ([part, meaning]) =>
        `<i class="${part}" style="flex-grow:${band[part]}" title="${numberText(band[part])} ${meaning}"></i>`,
    );
    // The bound of the window stands where it falls between two bands.
    const bound = band.toMs === inForce.windowMs ? ' class="bound"' : '';
    return `<tr${bound}><th scope="row">${name}</th><td class="bar"><span style="width:${length.toFixed(1)}%">${parts.join('')}</span></td><td>${numberText(total)}</td><td class="alarm">${band.late > 0 ? numberText(band.late) : ''}</td></tr>`;
  });
  const used = PARTS.filter(([part]) => bands.some((band) => band[part] > 0));
  return `<figure>
<table class="ages"><thead><tr><th scope="col">age</th><th scope="col"></th><th scope="col">all</th><th scope="col">too late</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>
<figcaption>${used.map(([part, meaning]) => `<span><i class="${part}"></i>${meaning}</span>`).join(' ')}${shown.some(({ band }) => band.toMs === inForce.windowMs) ? '<span><i class="edge"></i>end of the window in force</span>' : ''}</figcaption>
</figure>`;
}

function sum(band: Band): number {
  return band.first + band.replayed + band.refused + band.late;
}

const MARKS_MS = [
  1_000,
  60_000,
  600_000,
  3_600_000,
  6 * 3_600_000,
  86_400_000,
  3 * 86_400_000,
  7 * 86_400_000,
  30 * 86_400_000,
];
const HEIGHT = 100;

/** How many retries are later than x: a falling line, log over log. */
export function coverageChart({ buckets, retries, inForce, covers }: Findings): string {
  if (retries.count === 0) return '<p>No retry was seen.</p>';
  const points = beyondPoints(buckets, retries.count);
  const firstMs = 1_000;
  const lastMs = Math.max(inForce.windowMs * 1.6, (retries.largestMs ?? 0) * 1.6, 3_600_000);
  const least = 1 / retries.count / 2;
  const x = (ms: number) =>
    (100 * Math.log(Math.max(firstMs, ms) / firstMs)) / Math.log(lastMs / firstMs);
  const y = (share: number) => (HEIGHT * Math.log(Math.max(least, share))) / Math.log(least);
  const drawn = points.filter(([edgeMs]) => edgeMs > firstMs);
  const start = points.findLast(([edgeMs]) => edgeMs <= firstMs)?.[1] ?? 1;
  let path = `M0,${y(start).toFixed(2)}`;
  for (const [edgeMs, share] of drawn) {
    path += `H${x(edgeMs).toFixed(2)}V${y(share).toFixed(2)}`;
  }
  const shares = [1, 0.1, 0.01, 0.001, 0.0001, 0.00001].filter((share) => share > least);
  const marks = MARKS_MS.filter((ms) => ms < lastMs);
  const cover = covers.find(({ share }) => share === 0.999);
  const lines = [
    ...shares.map((share) => `<path class="grid" d="M0,${y(share).toFixed(2)}H100"/>`),
    ...marks.map((ms) => `<path class="grid" d="M${x(ms).toFixed(2)},0V${HEIGHT}"/>`),
    `<path class="area" d="${path}V${HEIGHT}H0Z"/>`,
    `<path class="curve" d="${path}"/>`,
    `<path class="window" d="M${x(inForce.windowMs).toFixed(2)},0V${HEIGHT}"/>`,
    ...(cover ? [`<path class="cover" d="M${x(cover.windowMs).toFixed(2)},0V${HEIGHT}"/>`] : []),
  ];
  return `<figure class="curve-box">
<div class="plot">
<svg viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Share of retries later than a window, falling from 100 % to none at ${durationText(retries.largestMs ?? 0)}">${lines.join('')}</svg>
${shares.map((share) => `<span class="y" style="top:${y(share).toFixed(1)}%">${shareText(share)}</span>`).join('')}
${marks.map((ms) => `<span class="x${SECONDARY.has(ms) ? ' secondary' : ''}" style="left:${x(ms).toFixed(1)}%">${durationText(ms)}</span>`).join('')}
</div>
<figcaption><span><i class="line window"></i>window in force, ${durationText(inForce.windowMs)}</span> ${cover ? `<span><i class="line cover"></i>would have covered 99.9 %: ${durationText(cover.windowMs)}</span>` : ''}</figcaption>
</figure>`;
}

/** Left out where the page is narrow. */
const SECONDARY: ReadonlySet<number> = new Set([600_000, 6 * 3_600_000, 3 * 86_400_000]);

/** After each bucket: its upper edge, and the share of the retries that lie beyond. */
function beyondPoints(buckets: Findings['buckets'], count: number): [number, number][] {
  let beyond = count;
  return buckets.flatMap(([edgeMs, retries]): [number, number][] => {
    if (retries === 0) return [];
    beyond -= retries;
    return [[edgeMs, beyond / count]];
  });
}
