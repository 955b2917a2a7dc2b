// `npx node test/bench/throttle.ts`: writes sent while a table throttles for ten minutes, without and with the
// retry budget of a process, as Markdown for docs/operations/tries.md. Counts on simulated time: the same
// program prints the same tables on every machine.

import { readSettings } from '#handlers/config.ts';
import { createRetryBudget } from '#idempotency/retry-budget.ts';
import { CALLERS } from '#test/bench/throttle-callers.ts';
import { runThrottle, type ThrottleOptions, type ThrottleRun } from '#test/bench/throttle-world.ts';

const SEED = 1;
const MINUTE_MS = 60_000;
/** Of the deployed create function (serverless.yml). */
const INSTANCES_MAX = 300;
const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5];

const defaults = readSettings({ STAGE: 'local' });
const OPTIONS: Omit<ThrottleOptions, 'newRetryBudget' | 'share'> = {
  seed: SEED,
  createsPerSecond: 10,
  fromMs: MINUTE_MS,
  toMs: 11 * MINUTE_MS,
  endMs: 12 * MINUTE_MS,
  instancesMax: INSTANCES_MAX,
  policy: {
    tryTimeoutMs: defaults.STORE_TRY_TIMEOUT_MS,
    triesMax: defaults.STORE_TRIES_MAX,
    backoffBaseMs: defaults.STORE_BACKOFF_BASE_MS,
    backoffCapMs: defaults.STORE_BACKOFF_CAP_MS,
  },
  budgetMs: defaults.CREATE_BUDGET_MS,
  lookUpReserveMs: defaults.LOOK_UP_RESERVE_MS,
};
const ENDLESS = () => createRetryBudget(Number.MAX_SAFE_INTEGER);
const BUDGETED = () => createRetryBudget(defaults.STORE_RETRY_TOKENS_MAX);

/** Everything is refused for ten minutes. */
async function outageRows(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const { name, caller } of CALLERS) {
    for (const [budget, newRetryBudget] of [
      ['none', ENDLESS],
      [`${defaults.STORE_RETRY_TOKENS_MAX} tokens`, BUDGETED],
    ] as const) {
      const run = await runThrottle({ ...OPTIONS, share: 1, newRetryBudget }, caller());
      const { during, late, after, instances } = run;
      rows.push([
        name,
        budget,
        number(during.creates),
        number(during.attempts),
        number(during.writes),
        times(during.writes, during.creates),
        times(late.writes, late.creates),
        number(instances),
        number(after.creates - after.done),
      ]);
    }
  }
  return rows;
}

/** A part of the writes is refused; callers do not retry, so that a lost create is seen. */
async function shareRows(): Promise<string[][]> {
  const once = CALLERS[0]?.caller;
  if (!once) throw new Error('there is no caller that does not retry');
  const rows: string[][] = [];
  for (const share of SHARES) {
    const without = await runThrottle({ ...OPTIONS, share, newRetryBudget: ENDLESS }, once());
    const budgeted = await runThrottle({ ...OPTIONS, share, newRetryBudget: BUDGETED }, once());
    rows.push([`${100 * share} %`, ...told(without), ...told(budgeted)]);
  }
  return rows;
}

function told({ during }: ThrottleRun): string[] {
  return [times(during.writes, during.creates), number(during.creates - during.done)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function number(count: number): string {
  return count.toLocaleString('en');
}

function times(writes: number, creates: number): string {
  return (writes / creates).toFixed(2);
}

process.stdout.write(`${table(
  [
    'callers',
    'retry budget',
    'creates',
    'attempts',
    'writes sent',
    'writes a create',
    'in the last minute',
    'instances',
    'lost in the minute after',
  ],
  await outageRows(),
)}

${table(
  ['throttled', 'writes a create, none', 'lost', 'writes a create, budget', 'lost'],
  await shareRows(),
)}

Seed ${SEED}; ${OPTIONS.createsPerSecond} creates a second for ten minutes; \`npx node test/bench/throttle.ts\` prints this.
`);
