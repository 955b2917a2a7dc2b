// A plan for the terminal: the verdict first, then why, then what to deploy and until when.

import { durationText, instantText } from '#ops/retention/output/duration-text.ts';
import {
  type Change,
  entryText,
  ROLLOUT_MS,
  sameEntry,
  written,
} from '#ops/retention/schedule/change.ts';
import type { Plan } from '#ops/retention/schedule/change-plan.ts';
import { LAMBDA_ENVIRONMENT_BYTES_MAX } from '#ops/retention/schedule/deployment.ts';

export function planText({ safe, refusals }: Plan, change: Change): string {
  return (safe ? safeLines(change) : refusalLines(refusals)).join('\n');
}

function safeLines({ inForce, proposed, deployMs }: Change): string[] {
  const fresh = proposed.schedule.filter(
    (entry) => !inForce.schedule.some((each) => sameEntry(each, entry)),
  );
  const [first] = fresh;
  const schedule = JSON.stringify(written(proposed));
  const last = inForce.schedule.at(-1) ?? inForce.schedule[0];
  return [
    'Safe: no time-stamped key makes a second job, and nothing that callers were told breaks.',
    '',
    `  in force  ${entryText(last)}`,
    ...fresh.map((entry) => `  new       ${entryText(entry)}`),
    '',
    'Why:',
    `- Entries in force are kept as they are published, and the new one starts ${durationText((first?.fromMs ?? 0) - deployMs)} after the deployment: no function that does not know it can still run.`,
    '- Keys minted before it starts end when callers were told.',
    ...fresh.map(
      ({ windowMs, graceMs }) =>
        `- A grace of ${durationText(graceMs)} outlives every write under way and every clock by more than the reserve of ${durationText(proposed.reserveMs)}; look-ups are definitive for ${durationText(graceMs - 2 * proposed.reserveMs)} after the window of ${durationText(windowMs)}.`,
    ),
    '',
    `Deploy this before ${instantText((first?.fromMs ?? 0) - ROLLOUT_MS)}; later, plan again:`,
    '',
    `RETENTION_SCHEDULE='${schedule}'`,
    '',
    `${schedule.length} bytes of the ${LAMBDA_ENVIRONMENT_BYTES_MAX} that Lambda gives all variables of a function.`,
    'Keep the entry in every later release, a rollback included: once it has started, a release without it would judge its keys by the entry before.',
  ];
}

function refusalLines(refusals: Plan['refusals']): string[] {
  return [
    `Not safe, for ${refusals.length === 1 ? 'one reason' : `${refusals.length} reasons`}. Nothing to deploy.`,
    ...refusals.flatMap(({ kind, sentence, counterExample, shown }) => [
      '',
      `- ${kind}: ${sentence}`,
      `  ${counterExample}`,
      ...(shown ? [`  Played on simulated clocks: ${HARM_TEXT[shown.harm]}.`] : []),
    ]),
  ];
}

const HARM_TEXT = {
  duplicate: 'a second job is made',
  'promise-broken': 'what a caller was told does not hold',
  'judged-differently': 'two releases answer one key differently at the same time',
} as const;
