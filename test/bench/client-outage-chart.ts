// `npx node test/bench/client-outage-chart.ts`: simulates the outage under each policy, prints the figures
// and draws docs/client/outage.svg and docs/client/outage.md. Same code, same files.

import { writeFileSync } from 'node:fs';
import { figuresOf, type OutageFigures } from '#test/bench/client-outage-figures.ts';
import { OUTAGE, type OutageRun, runOutage } from '#test/bench/client-outage-world.ts';
import { POLICIES } from '#test/bench/client-policies.ts';

const DOCS = new URL('../../docs/client/', import.meta.url);
const WIDTH = 820;
const HEIGHT = 420;
const LEFT = 56;
const RIGHT = 170;
const TOP = 56;
const BOTTOM = 44;
const COLOURS = ['#b3261e', '#b26a00', '#6a5acd', '#00695c'];
const LOAD_MIN = 0.5;
const LOAD_MAX = 40;

const x = (second: number) => LEFT + ((WIDTH - LEFT - RIGHT) * second * 1000) / OUTAGE.endMs;
/** Logarithmic: one policy is thirty times another. */
const y = (load: number) => {
  const share = Math.log(Math.max(LOAD_MIN, load) / LOAD_MIN) / Math.log(LOAD_MAX / LOAD_MIN);
  return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
};

function chart(runs: readonly { name: string; run: OutageRun }[]): string {
  const from = x(OUTAGE.outageFromMs / 1000);
  const to = x(OUTAGE.outageToMs / 1000);
  const grid = [1, 2, 5, 10, 20].map(
    (load) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at(y(load))}" y2="${at(y(load))}" stroke="${load === 1 ? '#777' : '#ddd'}"/>` +
      `<text x="${LEFT - 8}" y="${at(y(load) + 4)}" text-anchor="end">${load}×</text>`,
  );
  const ticks = [0, 30, 60, 90, 120, 150, 180].map(
    (second) =>
      `<text x="${at(x(second))}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${second} s</text>`,
  );
  const lines = runs.map(({ name, run }, place) => {
    const points = run.load
      .map((load, second) => `${at(x(second + 0.5))},${at(y(load))}`)
      .join(' ');
    const own = name === 'this client';
    return `<polyline points="${points}" fill="none" stroke="${COLOURS[place]}" stroke-width="${own ? 3 : 1.8}"/>`;
  });
  const legend = runs.map(({ name }, place) => {
    const top = TOP + 16 + place * 24;
    const left = WIDTH - RIGHT + 12;
    return (
      `<line x1="${left}" x2="${left + 20}" y1="${top}" y2="${top}" stroke="${COLOURS[place]}" stroke-width="3"/>` +
      `<text x="${left + 26}" y="${top + 4}">${name}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Load on the service in multiples of the normal load, under four retry policies, before, in and after an outage of 60 seconds" font-family="system-ui, sans-serif" font-size="13" fill="#222">
<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#fff"/>
<text x="${LEFT}" y="24" font-size="16" font-weight="600">Load on the service in an outage of 60 s</text>
<text x="${LEFT}" y="42" fill="#555">${OUTAGE.clients.toLocaleString('en')} clients; requests a second, in multiples of the normal load</text>
<rect x="${at(from)}" y="${TOP}" width="${at(to - from)}" height="${HEIGHT - TOP - BOTTOM}" fill="#f3e9e8"/>
<text x="${at((from + to) / 2)}" y="${TOP + 16}" text-anchor="middle" fill="#8a3b36">outage</text>
${[...grid, ...ticks, ...lines, ...legend].join('\n')}
</svg>
`;
}

function table(rows: readonly { name: string; figures: OutageFigures }[]): string {
  const times = (load: number) => `${load.toFixed(2)}×`;
  const seconds = (count: number | undefined) => (count === undefined ? 'never' : `${count} s`);
  const cells = [
    [
      'policy',
      'peak in the outage',
      'mean in the outage',
      'peak in its second half',
      'at most 1.2× in it after',
      'peak after it',
      'at most 1.2× after it after',
    ],
    ...rows.map(({ name, figures }) => [
      name,
      times(figures.peakInOutage),
      times(figures.meanInOutage),
      times(figures.peakInSecondHalf),
      seconds(figures.boundedAfterS),
      times(figures.peakAfter),
      seconds(figures.normalAfterS),
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join(' | ');
  return [lines[0], rule, ...lines.slice(1)].map((line) => `| ${line} |`).join('\n');
}

function at(coordinate: number): string {
  return coordinate.toFixed(1);
}

const runs = [];
for (const { name, policy } of POLICIES) {
  const run = await runOutage(policy());
  runs.push({ name, run, figures: figuresOf(run) });
}
const figures = table(runs);
process.stdout.write(`${figures}\n`);
writeFileSync(new URL('outage.svg', DOCS), chart(runs));
writeFileSync(
  new URL('outage.md', DOCS),
  `# What an outage does to the load

![Load on the service under four retry policies](outage.svg)

${OUTAGE.clients.toLocaleString('en')} clients begin a call every ${OUTAGE.callEveryMs / 1000} s each. For ${(OUTAGE.outageToMs - OUTAGE.outageFromMs) / 1000} s every request is answered 503 at once;
otherwise the service takes ${OUTAGE.capacity} times the normal load and turns the rest away. Load is counted in whole
seconds, in multiples of the normal load.

${figures}

- _three layers of 3_: a library, a service and a gateway each try three times at once.
- _exponential, no jitter_: 100 ms, doubled up to 5 s, until a deadline of 30 s. Calls pile up in the
  outage and come back when it is over.
- _immediate 3×_: three tries without a pause.
- _this client_: the code of the package itself, with a retry budget for each client (as if each were a
  process of its own), the last look-up included. Ten tokens a client make the peak at the start; when
  they are used up the load is that of the first attempts, and nothing waits for the end of the outage.

Made by \`npx node test/bench/client-outage-chart.ts\`; a smaller run of the same simulation is a test.
`,
);
