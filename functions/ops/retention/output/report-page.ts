// The report as one page that needs nothing else: no script, no font, no image, no request. Fit to be
// mailed, read on a phone, by day and by night, and printed.
// Must never put text from outside into the page unescaped.

import { htmlEscape } from 'escape-goat';
import type { Candidate, Findings } from '#ops/retention/logs/findings.ts';
import { durationText, instantText, isoDuration } from '#ops/retention/output/duration-text.ts';
import { ageChart, coverageChart } from '#ops/retention/output/report-charts.ts';
import { percentLabel } from '#ops/retention/output/report-markup.ts';
import { REPORT_STYLE } from '#ops/retention/output/report-page-style.ts';
import { remarksOn } from '#ops/retention/output/report-remarks.ts';
import { coveredText } from '#ops/retention/output/report-text.ts';
import { bytesText, numberText, usdText } from '#ops/retention/output/text-table.ts';

export function reportPage(findings: Findings): string {
  const { fromMs, toMs, attempts, inForce, source } = findings;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>How late retries come</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header>
<h1>How late retries come</h1>
<p>${numberText(attempts)} create attempts, ${instantText(fromMs)} to ${instantText(toMs)}, ${htmlEscape(source)}.
In force: a window of <b>${durationText(inForce.windowMs)}</b> and a grace of <b>${durationText(inForce.graceMs)}</b> (${htmlEscape(inForce.source)}).</p>
</header>
<main>
${tiles(findings)}
<section>
<h2>By age</h2>
<p>Age is counted from the minting of a time-stamped key, and from the commit of an opaque one. Bars are on a log scale, so that one late retry is seen beside a million early ones.</p>
${ageChart(findings)}
</section>
<section>
<h2>How many come later than a window</h2>
<p>Share of the retries that a window of that length would have refused. Both scales are logarithmic.</p>
${coverageChart(findings)}
${latenessTable(findings)}
</section>
<section>
<h2>What each window holds and costs</h2>
<p>With a grace of ${durationText(inForce.graceMs)} and ${numberText(findings.keysPerDay)} new keys a day. Writing the keys costs ${usd(findings.candidates[0]?.writesUsdPerMonth ?? 0)} a month whatever the window; storage grows with it. ${numberText(findings.candidates[0]?.purgeBacklogKeys ?? 0)} of the stored keys are past their purge time and wait for TTL, whatever the window.</p>
${windowTable(findings)}
</section>
<section>
<h2>Refused as too late</h2>
${lateTable(findings)}
</section>
<section class="small">
<h2>Read this with it</h2>
<ul>${remarksOn(findings)
    .map((remark) => `<li>${htmlEscape(capital(remark))}.</li>`)
    .join('')}</ul>
<h2>Assumed</h2>
<ul>${findings.assumptions.map((line) => `<li>${htmlEscape(capital(line))}.</li>`).join('')}</ul>
</section>
</main>
</body>
</html>
`;
}

type TileNote = { readonly note: string; readonly alarming?: boolean };

function tiles({ retries, late, covers, inForce }: Findings): string {
  const at = (share: number) =>
    retries.percentiles.find((each) => each.share === share)?.latenessMs;
  const beyond = late.count;
  const cover = covers.find(({ share }) => share === 0.999);
  const text = (ms: number | undefined) => (ms === undefined ? '–' : durationText(ms));
  return `<div class="tiles">
${tile('Retries', numberText(retries.count), { note: `half of them within ${text(at(0.5))}` })}
${tile('99.9 % within', text(at(0.999)), { note: cover ? `window ${isoDuration(cover.windowMs)}` : 'none seen' })}
${tile('Latest', text(retries.largestMs), { note: `window in force ${durationText(inForce.windowMs)}` })}
${tile('Refused, too late', numberText(beyond), { note: beyond === 0 ? 'none' : `${percentLabel(beyond / Math.max(1, retries.count))} of the retries`, alarming: beyond > 0 })}
</div>`;
}

function tile(name: string, value: string, { note, alarming = false }: TileNote): string {
  return `<div class="tile${alarming ? ' alarming' : ''}"><span>${name}</span><strong>${value}</strong><small>${htmlEscape(note)}</small></div>`;
}

function latenessTable({ retries, firsts }: Findings): string {
  const shares = retries.count > 0 ? retries.percentiles : firsts.percentiles;
  const row = (name: string, { count, percentiles, largestMs }: Findings['retries']) =>
    `<tr><th scope="row">${name}</th><td>${numberText(count)}</td>${percentiles
      .map(({ latenessMs }) => `<td>${durationText(latenessMs)}</td>`)
      .join('')}<td>${largestMs === undefined ? '–' : durationText(largestMs)}</td></tr>`;
  return `<div class="wide"><table>
<thead><tr><th scope="col">Lateness</th><th scope="col">count</th>${shares
    .map(({ share }) => `<th scope="col">p${Number((share * 100).toFixed(2))}</th>`)
    .join('')}<th scope="col">largest</th></tr></thead>
<tbody>${row('retries', retries)}${firsts.count > 0 ? row('first attempts', firsts) : ''}</tbody>
</table></div>`;
}

function windowTable({ candidates, retries }: Findings): string {
  const most = Math.max(...candidates.map(({ storageUsdPerMonth }) => storageUsdPerMonth));
  const row = (each: Candidate) => {
    const share = most === 0 ? 0 : (100 * each.storageUsdPerMonth) / most;
    const covered = retries.count === 0 ? '–' : coveredText(each.retriesBeyond, retries.count);
    return `<tr${each.label.includes('in force') ? ' class="now"' : ''}><th scope="row">${durationText(each.windowMs)}${each.label ? `<small>${htmlEscape(each.label)}</small>` : ''}</th><td>${covered}</td><td>${numberText(each.retriesBeyond)}</td><td>${numberText(each.firstsBeyond)}</td><td>${numberText(each.storedKeys)}</td><td>${bytesText(each.bytes)}</td><td class="cost"><span style="width:${share.toFixed(1)}%"></span>${usd(each.storageUsdPerMonth)}</td><td>${usd(each.storageUsdPerMonth + each.writesUsdPerMonth)}</td></tr>`;
  };
  return `<div class="wide"><table>
<thead><tr><th scope="col">Window</th><th scope="col">retries covered</th><th scope="col">refused</th><th scope="col">first attempts refused</th><th scope="col">stored keys</th><th scope="col">bytes</th><th scope="col">storage a month</th><th scope="col">all a month</th></tr></thead>
<tbody>${candidates.map(row).join('\n')}</tbody>
</table></div>`;
}

function lateTable({ late }: Findings): string {
  if (late.count === 0) return '<p>None.</p>';
  const row = ({ atMs, latenessMs, keyHash }: Findings['late']['latest'][number]) =>
    `<tr><th scope="row">${durationText(latenessMs)}</th><td>${instantText(atMs)}</td><td><code>${htmlEscape(keyHash ?? '–')}</code></td></tr>`;
  return `<p>${numberText(late.count)} attempts were answered 412. The latest:</p>
<div class="wide"><table>
<thead><tr><th scope="col">Late by</th><th scope="col">came at</th><th scope="col">key hash in the logs</th></tr></thead>
<tbody>${late.latest.map(row).join('')}</tbody>
</table></div>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function usd(amount: number): string {
  return htmlEscape(usdText(amount));
}
