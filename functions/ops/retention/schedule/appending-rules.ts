// Rules of appending: what is published stays, and a new entry starts when no function can run any more
// that does not know it. Each refusal names the entry, counted from 1.

import type { RetentionEntry, RetentionPolicy } from '#idempotency/retention-schedule.ts';
import { instantText } from '#ops/retention/output/duration-text.ts';
import {
  type Change,
  differencesOf,
  entryText,
  ROLLOUT_MS,
  sameEntry,
  sameLife,
} from '#ops/retention/schedule/change.ts';
import type { Refusal } from '#ops/retention/schedule/refusal.ts';

/** @param held the schedule that the operator holds for the one in force, if one was given */
export function appendingRefusals(change: Change, held?: RetentionPolicy): Refusal[] {
  return [
    ...liveDiffers(change, held),
    ...notAppended(change),
    ...tooEarly(change),
    ...promiseShortened(change),
    ...changesNothing(change),
  ];
}

/** Entries after those in force, each against the one before it. */
export function newEntries({ inForce, proposed }: Change): [RetentionEntry, RetentionEntry][] {
  return proposed.schedule.flatMap((entry, index): [RetentionEntry, RetentionEntry][] => {
    const previous = proposed.schedule[index - 1];
    const known = inForce.schedule.some((each) => sameEntry(each, entry));
    return previous && !known ? [[entry, previous]] : [];
  });
}

function liveDiffers(change: Change, held: RetentionPolicy | undefined): Refusal[] {
  if (!held) return [];
  const live = change.inForce.schedule;
  const index = firstDifference(live, held.schedule);
  if (index === undefined) return [];
  return [
    {
      kind: 'live-differs',
      sentence: `entry ${index + 1} of the schedule you hold is not what the live service publishes`,
      counterExample: `Live: ${textOf(live[index])}. Yours: ${textOf(held.schedule[index])}. What you deploy next would change it.`,
    },
  ];
}

function notAppended({ inForce, proposed }: Change): Refusal[] {
  const index = inForce.schedule.findIndex((entry, i) => !sameEntry(entry, proposed.schedule[i]));
  if (index < 0) return [];
  const [published, instead] = [inForce.schedule[index], proposed.schedule[index]];
  return [
    {
      kind: 'not-appended',
      sentence: `entry ${index + 1} is not kept: entries are only ever appended`,
      counterExample: `Published: ${textOf(published)}. Proposed in its place: ${textOf(instead)}. A client that read it counts on it.`,
    },
  ];
}

function tooEarly(change: Change): Refusal[] {
  const earliestMs = change.deployMs + ROLLOUT_MS;
  const early = newEntries(change).find(([entry]) => entry.fromMs < earliestMs)?.[0];
  if (!early) return [];
  return [
    {
      kind: 'too-early',
      sentence: `the entry starts at ${instantText(early.fromMs)}; deployed at ${instantText(change.deployMs)}, it may start at ${instantText(earliestMs)}`,
      counterExample: `Until ${instantText(earliestMs)} functions of the release in force may still run, and they do not know the entry.`,
    },
  ];
}

/** Keys that exist when the new release begins to answer, and whose end callers were told. */
function promiseShortened(change: Change): Refusal[] {
  const { deployMs } = change;
  for (const { fromMs, toMs, before, after } of differencesOf(change)) {
    // The youngest key of a stretch lives longest.
    const mintedAtMs = Math.min(toMs, deployMs) - 1;
    const toldMs = mintedAtMs + before.windowMs;
    if (mintedAtMs < fromMs || after.windowMs >= before.windowMs || toldMs <= deployMs) continue;
    return [
      {
        kind: 'promise-shortened',
        sentence: 'keys minted before the deployment would end sooner than callers were told',
        counterExample: `A key minted at ${instantText(mintedAtMs)} was told Idempotency-Expires ${instantText(toldMs)}; it would be judged to end at ${instantText(mintedAtMs + after.windowMs)}.`,
      },
    ];
  }
  return [];
}

function changesNothing(change: Change): Refusal[] {
  const fresh = newEntries(change);
  const idle = fresh.find(([entry, previous]) => sameLife(entry, previous))?.[0];
  if (fresh.length > 0 && !idle) return [];
  if (
    fresh.length === 0 &&
    change.inForce.schedule.some((e, i) => !sameEntry(e, change.proposed.schedule[i]))
  ) {
    return [];
  }
  return [
    {
      kind: 'changes-nothing',
      sentence: idle ? 'the new entry says what the one before it says' : 'there is no new entry',
      counterExample: `Every key is judged as before${idle ? `: ${entryText(idle)}` : ''}. An entry stays for ever; add none that does nothing.`,
    },
  ];
}

function firstDifference(
  a: readonly RetentionEntry[],
  b: readonly RetentionEntry[],
): number | undefined {
  const length = Math.max(a.length, b.length);
  const index = Array.from({ length }).findIndex((_, i) => !sameEntry(a[i], b[i]));
  return index < 0 ? undefined : index;
}

function textOf(entry: RetentionEntry | undefined): string {
  return entry ? entryText(entry) : 'no such entry';
}
