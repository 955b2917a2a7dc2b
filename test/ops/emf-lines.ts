// Metrics as CloudWatch would read them: the lines that the real createSignals() writes, parsed by the
// embedded metric format's own rules. What the lines do not declare is no metric.

import { vi } from 'vitest';
import * as z from 'zod';

export type Datum = {
  readonly namespace: string;
  readonly name: string;
  readonly unit: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: readonly number[];
};

const lineSchema = z.looseObject({
  _aws: z.object({
    Timestamp: z.int(),
    CloudWatchMetrics: z
      .array(
        z.object({
          Namespace: z.string(),
          Dimensions: z.array(z.array(z.string())).length(1),
          Metrics: z.array(z.looseObject({ Name: z.string(), Unit: z.string() })).min(1),
        }),
      )
      .length(1),
  }),
});

/** Writes down what is printed while a test runs. Call before createSignals(). */
export function catchEmf(): { readonly data: () => Datum[]; readonly lines: () => string[] } {
  // Powertools prints through a console of its own, except where it is told that a person looks.
  vi.stubEnv('POWERTOOLS_DEV', 'true');
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const lines = () => printed.mock.calls.map(([line]) => String(line));
  return { lines, data: () => lines().flatMap((line) => dataOf(JSON.parse(line))) };
}

export function dataOf(line: unknown): Datum[] {
  const parsed = lineSchema.parse(line);
  return parsed._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) => {
    const dimensions = Object.fromEntries(
      (Dimensions[0] ?? []).map((name) => [name, z.string().parse(parsed[name])]),
    );
    return Metrics.map(({ Name, Unit }) => ({
      namespace: Namespace,
      name: Name,
      unit: Unit,
      dimensions,
      values: [z.union([z.number(), z.array(z.number())]).parse(parsed[Name])].flat(),
    }));
  });
}
