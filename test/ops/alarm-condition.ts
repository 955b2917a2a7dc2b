// CloudWatch's evaluation of one alarm, as its documentation tells it: values fall into periods, each
// period gives one number by the alarm's statistic, and enough of the last periods must breach.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Datum } from '#test/ops/emf-lines.ts';

const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string().min(10),
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).length(1),
  Statistic: z.enum(['Sum', 'Maximum', 'SampleCount']).optional(),
  ExtendedStatistic: z
    .string()
    .regex(/^p\d+(\.\d+)?$/)
    .optional(),
  EvaluateLowSampleCountPercentile: z.literal('evaluate').optional(),
  Period: z.int().positive(),
  EvaluationPeriods: z.int().positive(),
  Threshold: z.number(),
  ComparisonOperator: z.enum([
    'GreaterThanThreshold',
    'GreaterThanOrEqualToThreshold',
    'LessThanThreshold',
  ]),
  TreatMissingData: z.enum(['notBreaching', 'breaching']),
  AlarmActions: z.array(z.object({ Ref: z.string() })).length(1),
});
export type Alarm = z.infer<typeof alarmSchema>;

/** Alarms of infra/alarms.yml by resource name, without "Alarm", as the stage `prod` gets them. */
export function readAlarms(): ReadonlyMap<string, Alarm> {
  const text = readFileSync(new URL('../../infra/alarms.yml', import.meta.url), 'utf8');
  const { Resources } = parse(inProd(text)) as {
    Resources: Record<string, { Type: string; Properties: unknown }>;
  };
  return new Map(
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
      .map(([name, { Properties }]) => [
        name.replace(/Alarm$/, ''),
        z.strictObject(alarmSchema.shape).parse(Properties),
      ]),
  );
}

/** The variables of serverless.yml as the stage `prod` has them. */
export function inProd(text: string): string {
  return text.replace(/\$\{self:service\}/g, 'export-once').replace(/\$\{sls:stage\}/g, 'prod');
}

/** @param periods what was emitted in each period, the last one last */
export function isAlarm(alarm: Alarm, periods: readonly (readonly Datum[])[]): boolean {
  const last = periods.slice(-alarm.EvaluationPeriods);
  if (last.length < alarm.EvaluationPeriods) throw new Error('fewer periods than are evaluated');
  return last.every((data) => {
    const values = data.filter((datum) => isWatched(alarm, datum)).flatMap(({ values }) => values);
    return values.length === 0
      ? alarm.TreatMissingData === 'breaching'
      : breaches(alarm, statistic(alarm, values));
  });
}

function isWatched(alarm: Alarm, datum: Datum): boolean {
  const asked = Object.fromEntries(alarm.Dimensions.map(({ Name, Value }) => [Name, Value]));
  return (
    datum.namespace === alarm.Namespace &&
    datum.name === alarm.MetricName &&
    JSON.stringify(datum.dimensions) === JSON.stringify(asked)
  );
}

function statistic(alarm: Alarm, values: readonly number[]): number {
  if (alarm.ExtendedStatistic !== undefined) {
    const sorted = values.toSorted((a, b) => a - b);
    // Less a hair: 99.9 % of 1,000 is 999, whatever floating point makes of it.
    const share = Number(alarm.ExtendedStatistic.slice(1)) / 100;
    const rank = Math.ceil(share * sorted.length - 1e-6);
    return sorted[Math.max(0, rank - 1)] as number;
  }
  switch (alarm.Statistic) {
    case 'Sum':
      return values.reduce((sum, value) => sum + value, 0);
    case 'Maximum':
      return Math.max(...values);
    case 'SampleCount':
      return values.length;
    case undefined:
      throw new Error('an alarm without a statistic');
  }
}

function breaches({ ComparisonOperator, Threshold }: Alarm, value: number): boolean {
  switch (ComparisonOperator) {
    case 'GreaterThanThreshold':
      return value > Threshold;
    case 'GreaterThanOrEqualToThreshold':
      return value >= Threshold;
    case 'LessThanThreshold':
      return value < Threshold;
  }
}
