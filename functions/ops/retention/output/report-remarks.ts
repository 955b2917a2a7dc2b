// What a reader must know beside the numbers: what they do not show, and what they rest on.

import { SHORT_RECORDING_MS } from '#ops/retention/logs/find.ts';
import type { Findings } from '#ops/retention/logs/findings.ts';
import { durationText, instantText } from '#ops/retention/output/duration-text.ts';
import { numberText } from '#ops/retention/output/text-table.ts';

export function remarksOn(findings: Findings): string[] {
  return [...lateRemarks(findings), ...coverRemarks(findings), ...sourceRemarks(findings)];
}

function lateRemarks({ late, inForce }: Findings): string[] {
  const [latest] = late.latest;
  if (!latest) return ['no attempt was refused as too late'];
  const hash = latest.keyHash === undefined ? '' : `, key hash ${latest.keyHash}`;
  return [
    `${numberText(late.count)} attempts were refused as too late (412); the latest came ${durationText(latest.latenessMs)} after its key was minted, at ${instantText(latest.atMs)}${hash}`,
    `refused attempts tell how late they were, not how late they would still have come: callers stop at a 412, so a window over ${durationText(inForce.windowMs)} may meet more retries than these`,
  ];
}

function coverRemarks({ retries, covers }: Findings): string[] {
  if (retries.count === 0)
    return ['no retry was seen: nothing here says how long a window must be'];
  const remarks = covers.map(
    ({ share, windowMs }) =>
      `a window of ${durationText(windowMs)} would have covered ${Number((100 * share).toFixed(2))} % of the retries`,
  );
  // Nearest rank: the largest stands in for a share that so few retries cannot resolve.
  return retries.count < 10_000
    ? [...remarks, `with ${numberText(retries.count)} retries, p99.99 is the largest of them`]
    : remarks;
}

function sourceRemarks(findings: Findings): string[] {
  const { fromMs, toMs, keysPerDay, keysPerDayIs } = findings;
  const given = keysPerDayIs === 'given' ? 'given' : `seen over ${durationText(toMs - fromMs)}`;
  const remarks = [`${numberText(keysPerDay)} new keys a day (${given})`];
  if (keysPerDayIs === 'seen' && toMs - fromMs < SHORT_RECORDING_MS) {
    remarks.push('less than a day was read: give --keys-per-day for costs that mean something');
  }
  if (findings.unreadable > 0) {
    remarks.push(
      `${numberText(findings.unreadable)} of ${numberText(findings.lines)} lines could not be read and were left out`,
    );
  }
  if (findings.refusedBeforeJudging > 0) {
    remarks.push(
      `${numberText(findings.refusedBeforeJudging)} creates were refused before their key was judged (no key, no JSON, clock)`,
    );
  }
  if (findings.implausible > 0) {
    remarks.push(
      `${numberText(findings.implausible)} attempts had a time in their key more than a year past: no mint, left out`,
    );
  }
  if (findings.keyKinds.opaque > 0) {
    remarks.push(
      `${numberText(findings.keyKinds.opaque)} attempts had opaque keys: one that returns after its record was purged looks new, and no log can tell`,
    );
  }
  return remarks;
}
