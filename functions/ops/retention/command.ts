// `ops retention`: report, plan, simulate. Reads options, hands over, prints. Exit code 1: a change is
// refused. Nothing here writes to any table or deploys anything.

import { Command } from 'commander';
import { runPlan } from '#ops/retention/run-plan.ts';
import { runReport } from '#ops/retention/run-report.ts';
import { runSimulate } from '#ops/retention/run-simulate.ts';

const REPORT_EXAMPLES = `
Examples:
  npm run ops -- retention report .local/run-8787/functions.log --live http://127.0.0.1:8787
  npm run ops -- retention report exported/*.gz --html report.html --json report.json`;
const PLAN_EXAMPLES = `
Examples:
  npm run ops -- retention plan --live https://api.example.com --window PT48H --report report.json
  npm run ops -- retention plan --live capabilities.json --window PT36H --grace PT12H --retry-horizon PT30H`;
const SIMULATE_EXAMPLES = `
Examples:
  npm run ops -- retention simulate --live https://api.example.com --window PT48H
  npm run ops -- retention simulate functions.log --live capabilities.json --window PT48H`;

export function retentionCommand(): Command {
  const retention = new Command('retention')
    .description('how long keys must be kept, what that costs, and whether it can be changed now')
    // Before the commands below are made: they take it over.
    .exitOverride();
  retention
    .command('report')
    .description('how late retries really come, from the functions’ logs')
    .argument('[logs...]', 'files of log lines, .gz too; - or nothing: standard input')
    .option('--live <address-or-file>', 'the live service, or its saved /v1/capabilities')
    .option('--window <duration...>', 'more windows to look at, such as PT36H')
    .option('--grace <duration>', 'the grace to reckon with, else that in force')
    .option('--insights <file>', 'an export of CloudWatch Logs Insights instead of log lines')
    .option('--insights-query', 'print the query for CloudWatch Logs Insights, and nothing else')
    .option('--html <file>', 'one page with charts')
    .option('--json <file>', 'the findings, for plan --report')
    .option('--keys-per-day <number>', 'new keys a day, else as seen')
    .option('--key-bytes <number>', 'bytes of a stored key, else measured on a typical one')
    .option('--purge-lag <duration>', 'how long TTL takes, else as seen, else P2D')
    .option('--storage-price <usd>', 'a GB-month of storage')
    .option('--recovery-price <usd>', 'a GB-month of point-in-time recovery')
    .option('--write-price <usd>', 'a million write units')
    .addHelpText('after', REPORT_EXAMPLES)
    .action(runReport);
  withChange(
    retention
      .command('plan')
      .description('is a change of the schedule safe, and what is to be deployed; exit 1 if not'),
  )
    .option('--in-force <file-or-json>', 'the schedule you hold for the one in force')
    .option('--stage <name>', 'whose minima apply: local, or a deployed stage', 'prod')
    .option('--retry-horizon <duration>', 'how long your clients go on retrying')
    .option('--report <file>', 'findings of report --json')
    .option('--coverage <percent>', 'share of the retries seen that the window must hold', '99.9')
    .addHelpText('after', PLAN_EXAMPLES)
    .action(runPlan);
  withChange(
    retention
      .command('simulate')
      .description('the same rule on simulated clocks: duplicates and refusals before and after')
      .argument('[logs...]', 'recorded arrivals; without any, a synthetic crowd'),
  )
    .option('--keys <number>', 'synthetic keys', '10000')
    .option(
      '--lateness <points>',
      'of the synthetic retries: percent=lateness, …',
      '50=PT10S,90=PT10M,99=PT12H,99.9=PT30H,100=PT60H',
    )
    .option('--opaque <percent>', 'opaque keys among the synthetic', '10')
    .option('--span <duration>', 'over which the synthetic keys are minted', 'P8D')
    .option('--seed <number>', 'another crowd', '1')
    .option('--purge-lag <duration>', 'how long TTL takes; none is the worst case')
    .option('--attempts-max <number>', 'recorded attempts to keep in memory', '200000')
    .addHelpText('after', SIMULATE_EXAMPLES)
    .action(runSimulate);
  return retention;
}

/** What names a change. */
function withChange(command: Command): Command {
  return command
    .requiredOption('--live <address-or-file>', 'the live service, or its saved /v1/capabilities')
    .option('--window <duration>', 'the new window, such as PT48H')
    .option('--grace <duration>', 'the new grace, else that in force')
    .option('--from <instant>', 'when it starts, else as early as allowed')
    .option('--schedule <file-or-json>', 'a whole schedule of yours, instead of --window')
    .option(
      '--deploy-by <instant>',
      'when the new release answers, at the latest; else in an hour',
    );
}
