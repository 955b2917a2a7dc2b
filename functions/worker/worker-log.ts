// What the worker may say: one JSON object a line, never a text of an article or a raw key.

import type { Measure } from '#contract/metrics.ts';

export type WorkerLog = {
  readonly info: (message: string, fields: Record<string, string | number | boolean>) => void;
  readonly error: (
    message: string,
    fields: Record<string, string | number | boolean>,
    cause: unknown,
  ) => void;
};

/** Metrics: values of one invocation are published together. */
export type WorkerSignals = { readonly measure: Measure; readonly publish: () => void };
