// Each alarm is fired by the metric that it watches, played through its own condition, and stays silent
// one step below. Our own metrics are played as the lines that the functions print.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METRICS, type MetricName } from '#contract/metrics.ts';
import { createSignals } from '#handlers/measure.ts';
import { type Alarm, isAlarm, readAlarms } from '#test/ops/alarm-condition.ts';
import { catchEmf, type Datum } from '#test/ops/emf-lines.ts';

type Values = readonly number[];
type Story = {
  /** Values of each evaluated period: at the threshold or past it, and just before it. */
  readonly fires: readonly Values[];
  readonly silent: readonly Values[];
};

const times = (count: number, value = 1): Values => Array(count).fill(value);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const STORIES: Readonly<Record<string, Story>> = {
  UnknownOutcomes: { fires: [times(5), times(5)], silent: [times(5), times(4)] },
  StoreUnavailable: { fires: [times(5), times(5)], silent: [times(4), times(5)] },
  CreateErrors: { fires: [[1]], silent: [[0, 0]] },
  CreateThrottled: { fires: [[1]], silent: [[0]] },
  LateArrivals: { fires: [[1]], silent: [[]] },
  ReplayAge: {
    // One in a thousand: the 1,000th of 1,000 sorted values is above p99.9's rank, the 999th is it.
    fires: [[...times(998, 5), 80.1, 81]],
    silent: [[...times(998, 5), 80, 99]],
  },
  UntrustedClock: { fires: [[1]], silent: [[]] },
  StoreThrottles: { fires: [times(10), times(10)], silent: [times(9), times(50)] },
  OldestJob: { fires: [[0, 30 * MINUTE_MS + 1]], silent: [[0, 30 * MINUTE_MS]] },
  SweepSilent: { fires: [[], []], silent: [[], [0]] },
  HandOverDeadLetters: { fires: [[1]], silent: [[0]] },
  RunJobDeadLetters: { fires: [[1]], silent: [[0]] },
  OutboxAge: { fires: [[15 * MINUTE_MS + 1]], silent: [[15 * MINUTE_MS]] },
  PurgeBacklog: { fires: [[0, 4 * DAY_MS + 1]], silent: [[0, 4 * DAY_MS]] },
  BacklogSilent: { fires: [[], []], silent: [[0], []] },
};

const alarms = readAlarms();
const readme = readFileSync(new URL('../../infra/README.md', import.meta.url), 'utf8');

/** What CloudWatch would have of these values in one period. */
function play(alarm: Alarm, values: Values): Datum[] {
  const { Namespace: namespace, MetricName: name, Dimensions } = alarm;
  if (!namespace.startsWith('AWS/')) {
    const printed = catchEmf();
    const before = printed.lines().length;
    const signals = createSignals('prod');
    for (const value of values) signals.measure(name as MetricName, value);
    signals.publish();
    return printed.data().slice(before);
  }
  const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
  return [
    { namespace, name, unit: 'Count', dimensions: dimensions as Datum['dimensions'], values },
  ];
}

describe('alarms', () => {
  it('have a story each', () => {
    expect([...alarms.keys()].sort()).toEqual(Object.keys(STORIES).sort());
  });

  describe.each([...alarms])('%s', (name, alarm) => {
    const story = STORIES[name];
    const played = (periods: readonly Values[] = []) =>
      periods.map((values) => play(alarm, values));

    it('fires when its metric says so', () => {
      expect(isAlarm(alarm, played(story?.fires))).toBe(true);
    });

    it('stays silent just before', () => {
      expect(isAlarm(alarm, played(story?.silent))).toBe(false);
    });

    it('is not fired by another stage of the same account', () => {
      const elsewhere = played(story?.fires).map((data) =>
        data.map((datum) => ({ ...datum, dimensions: { service: 'export-once-dev' } })),
      );

      expect(isAlarm(alarm, elsewhere)).toBe(alarm.TreatMissingData === 'breaching');
    });

    it('tells the topic, by a name of its stage', () => {
      expect(alarm.AlarmActions).toEqual([{ Ref: 'Alarms' }]);
      expect(alarm.AlarmName).toBe(`export-once-prod-${name}`);
    });

    it('has a reason beside its threshold and an entry for 3 a.m.', () => {
      const text = readFileSync(new URL('../../infra/alarms.yml', import.meta.url), 'utf8');
      const own = text.split(`  ${name}Alarm:\n`)[1]?.split('AlarmActions')[0];

      expect(own).toMatch(/ # .{20,}\n +Threshold:/);
      expect(readme).toMatch(new RegExp(`^#### ${name}\\n\\n.{40,}`, 'm'));
    });
  });

  it('watch metrics that exist, in whole periods of what CloudWatch takes', () => {
    for (const alarm of alarms.values()) {
      if (alarm.Namespace === 'export-once') {
        expect(Object.keys(METRICS)).toContain(alarm.MetricName);
      }
      expect(alarm.Period % 60).toBe(0);
      expect(alarm.Period * alarm.EvaluationPeriods).toBeLessThanOrEqual(86_400);
      expect((alarm.Statistic === undefined) !== (alarm.ExtendedStatistic === undefined)).toBe(
        true,
      );
    }
  });
});
