// The one style sheet of the page. It stands in a style element, so it must never hold a closing tag.

export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1d2329; --soft: #5b6672; --paper: #fcfcfa; --card: #ffffff; --line: #dcdfe3; --grid: #e9ebee;
  --first: #b9c1ca; --replayed: #2f7d95; --refused: #c58a1b; --late: #c2402f; --area: #2f7d951f; --alarm: #a8321f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e3e5e8; --soft: #9aa4af; --paper: #15181b; --card: #1c2024; --line: #343a41; --grid: #282d33;
    --first: #56606b; --replayed: #56b1c9; --refused: #dba743; --late: #ee7a66; --area: #56b1c926; --alarm: #f28b79;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 58rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 .3rem; }
header p, section > p { color: var(--soft); margin: 0 0 1rem; max-width: 44rem; }
header b { color: var(--ink); font-weight: 600; }
section { margin-top: 2.75rem; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin-top: 1.75rem; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem; display: grid; gap: .1rem; }
.tile span { color: var(--soft); font-size: .85rem; }
.tile strong { font-size: 1.55rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; white-space: nowrap; }
.tile small { color: var(--soft); font-size: .8rem; line-height: 1.35; }
.tile.alarming strong { color: var(--alarm); }
figure { margin: 0; }
figcaption { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; color: var(--soft); font-size: .85rem; margin-top: .75rem; }
figcaption span { display: inline-flex; align-items: center; gap: .45em; }
figcaption i { width: .8em; height: .8em; border-radius: .2em; }
i.first { background: var(--first); } i.replayed { background: var(--replayed); }
i.refused { background: var(--refused); } i.late { background: var(--late); }
figcaption i.edge { width: 1.2em; height: 0; border-radius: 0; border-top: 2px dashed var(--ink); }
figcaption i.line { width: 0; height: 1.1em; border-radius: 0; border-left: 2px solid var(--ink); }
figcaption i.line.cover { border-left: 2px dashed var(--late); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.4; }
th { text-align: start; font-weight: 500; }
thead th { color: var(--soft); font-size: .8rem; vertical-align: bottom; }
td, th { padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: baseline; white-space: nowrap; }
td, thead th + th { text-align: end; }
td:first-child, th:first-child { padding-inline-start: 0; }
td:last-child, th:last-child { padding-inline-end: 0; }
thead th { white-space: normal; }
th small, td small { display: block; color: var(--soft); font-size: .8em; font-weight: 400; }
tr.now td { background: var(--area); }
.wide tr.now th { background: linear-gradient(var(--area), var(--area)) var(--paper); }
.wide { overflow-x: auto; margin-top: 1rem; }
.wide tbody th { position: sticky; left: 0; background: var(--paper); }
.ages td, .ages th { border: 0; padding-block: .16rem; }
.ages .bar { width: 100%; padding-inline: .4rem; vertical-align: middle; }
.ages .bar span { display: flex; height: 1.15rem; gap: 1px; min-width: 2px; }
.ages .bar i { flex-basis: 2px; min-width: 2px; }
.ages .bar i:first-child { border-start-start-radius: .2rem; border-end-start-radius: .2rem; }
.ages .bar i:last-child { border-start-end-radius: .2rem; border-end-end-radius: .2rem; }
.ages tbody th { color: var(--soft); font-size: .85rem; text-align: end; }
.ages .bound th, .ages .bound td { border-bottom: 2px dashed var(--ink); }
.alarm { color: var(--alarm); font-weight: 600; }
.plot { position: relative; height: 17rem; margin: .5rem 0 1.9rem 3.6rem; border-left: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.plot svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.plot path { vector-effect: non-scaling-stroke; fill: none; }
.plot .grid { stroke: var(--grid); } .plot .area { fill: var(--area); stroke: none; }
.plot .curve { stroke: var(--replayed); stroke-width: 2; stroke-linejoin: round; }
.plot .window { stroke: var(--ink); stroke-width: 1.5; }
.plot .cover { stroke: var(--late); stroke-width: 1.5; stroke-dasharray: 5 4; }
.plot span { position: absolute; color: var(--soft); font-size: .8rem; line-height: 1; white-space: nowrap; }
.plot .y { right: 100%; padding-right: .5rem; transform: translateY(-50%); }
.plot .x { top: 100%; padding-top: .5rem; transform: translateX(-50%); }
.cost span { display: block; height: .3rem; border-radius: .15rem; background: var(--replayed); margin: 0 0 .2rem auto; min-width: 1px; }
td.cost { min-width: 6.5rem; }
code { font: .92em ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.small { font-size: .9rem; color: var(--soft); }
.small h2 { font-size: 1rem; color: var(--ink); margin-top: 1.25rem; }
.small ul { margin: .3rem 0 0; padding-inline-start: 1.2rem; }
.small li { margin: .2rem 0; max-width: 48rem; }
@media (max-width: 42rem) {
  body { padding: 1.4rem 1rem 3rem; }
  h1 { font-size: 1.6rem; }
  .tiles { grid-template-columns: repeat(2, 1fr); gap: .6rem; }
  .tile { padding: .65rem .75rem; }
  .tile strong { font-size: 1.25rem; }
  .plot { height: 14rem; margin-left: 3rem; }
  .plot .secondary { display: none; }
  .wide { margin-inline: -1rem; padding-inline: 1rem; }
  .ages tbody th, .ages td { font-size: .8rem; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  section { break-inside: avoid; }
  .wide { overflow: visible; }
}
`;
