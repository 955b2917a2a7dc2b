// The dashboard names what the code emits: no misspelt metric, none forgotten.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { METRICS } from '#contract/metrics.ts';
import { inProd } from '#test/ops/alarm-condition.ts';

const bodySchema = z.object({
  widgets: z.array(
    z.object({
      type: z.enum(['metric', 'text']),
      x: z.int(),
      y: z.int(),
      width: z.int(),
      height: z.int(),
      properties: z.looseObject({ metrics: z.array(z.array(z.unknown())).optional() }),
    }),
  ),
});

const text = readFileSync(new URL('../../infra/dashboard.yml', import.meta.url), 'utf8');
const { DashboardBody } = parse(inProd(text)).Resources.Dashboard.Properties;
const { widgets } = bodySchema.parse(JSON.parse(DashboardBody['Fn::Sub']));

/** Rows written out: `.` repeats the value above, `...` all of the row above but its last. */
const rows = widgets.flatMap(({ properties: { metrics = [] } }) => {
  let above: string[] = [];
  return metrics.map((row) => {
    const values = row.filter((value): value is string => typeof value === 'string');
    const [first, ...rest] = values;
    above =
      first === '...'
        ? [...above.slice(0, above.length - rest.length), ...rest]
        : values.map((value, place) => (value === '.' ? (above[place] ?? '') : value));
    return above;
  });
});
const ours = rows.filter(([namespace]) => namespace === 'export-once');

describe('the dashboard', () => {
  it('shows every metric that the code knows, and no other', () => {
    const shown = new Set(ours.map(([, name]) => name));

    expect([...shown].sort()).toEqual(Object.keys(METRICS).sort());
  });

  it('reads our metrics under the dimension that the functions give them', () => {
    expect(ours.length).toBeGreaterThan(0);
    for (const row of ours) expect(row.slice(2)).toEqual(['service', 'export-once-prod']);
  });

  it('names a dimension and a value in every other row', () => {
    const others = rows.filter(([namespace]) => namespace !== 'export-once');

    expect(others.length).toBeGreaterThan(0);
    for (const row of others) {
      expect(row).toHaveLength(4);
      expect(row[0]).toMatch(/^AWS\/(Lambda|DynamoDB|SQS)$/);
      expect(row[3]).toMatch(/^(export-once-prod-|\$\{\w+(\.QueueName)?\}$)/);
    }
  });

  it('puts no widget over another, and none beyond the 24 columns', () => {
    const taken = new Set<string>();
    for (const { x, y, width, height } of widgets) {
      expect(x + width).toBeLessThanOrEqual(24);
      for (let column = x; column < x + width; column += 1) {
        for (let line = y; line < y + height; line += 1) {
          expect(taken.has(`${column},${line}`)).toBe(false);
          taken.add(`${column},${line}`);
        }
      }
    }
  });
});
