// CloudWatch Logs Insights: the query to run there, and its exported result read here. The query groups
// equal attempts, a group a percent of lateness, so that millions of lines fit into the 10,000 rows that
// Insights gives; each group is read at its largest lateness, never below the truth.
// Nothing here calls AWS: an operator pastes the query and saves the answer as JSON or CSV.

import { parse as parseCsv } from 'csv-parse/sync';
import * as z from 'zod';
import { epochMs } from '#idempotency/epoch.ts';
import { CREATE_ROUTE, type CreateAttempt } from '#ops/retention/logs/create-attempt-line.ts';

/** Rows of one answer of Insights; a full answer was cut. */
export const INSIGHTS_ROWS_MAX = 10_000;

/** To be run over the log group of the create function, for the period in question. */
export const INSIGHTS_QUERY = `filter message = "request" and route = "${CREATE_ROUTE}" and ispresent(outcome)
| stats count(*) as attempts, max(latenessMs) as largestMs, min(@timestamp) as firstAt, max(@timestamp) as lastAt
  by outcome, keyKind, floor(log(greatest(latenessMs, 1)) / log(1.01)) as bucket
| limit ${INSIGHTS_ROWS_MAX}`;

const rowSchema = z.object({
  attempts: z.coerce.number().int().min(1),
  outcome: z.string().min(1),
  keyKind: z.enum(['time-stamped', 'opaque']),
  largestMs: z
    .string()
    .transform((text) => (text === '' ? undefined : Number(text)))
    .pipe(z.number().optional())
    .optional(),
  firstAt: z.string().transform(readInstant),
  lastAt: z.string().transform(readInstant),
});

export type InsightsGroup = {
  readonly attempt: CreateAttempt;
  readonly times: number;
  readonly lastAtMs: number;
};

/**
 * @param text `aws logs get-query-results` as JSON, or the console's export as JSON or CSV
 * @throws Error naming the row
 */
export function readInsightsExport(text: string): InsightsGroup[] {
  const rows =
    text.trimStart().startsWith('{') || text.trimStart().startsWith('[')
      ? jsonRows(text)
      : csvRows(text);
  return rows.map((row, index) => {
    const parsed = rowSchema.safeParse(row);
    if (!parsed.success) {
      const where = parsed.error.issues[0]?.path.join('.') ?? '';
      throw new Error(`row ${index + 1} of the export is not of our query (at "${where}")`);
    }
    const { attempts, outcome, keyKind, largestMs, firstAt, lastAt } = parsed.data;
    return {
      times: attempts,
      lastAtMs: lastAt,
      attempt: {
        atMs: epochMs(firstAt),
        outcome,
        keyKind,
        ...(largestMs !== undefined && { latenessMs: largestMs }),
      },
    };
  });
}

const fieldsSchema = z.array(z.object({ field: z.string(), value: z.coerce.string() }));
const answerSchema = z.union([
  z.object({ results: z.array(fieldsSchema) }).transform(({ results }) => results),
  z.array(fieldsSchema),
]);

/** Fields by name, either as pairs (the API) or as members (the console). */
function jsonRows(text: string): Record<string, string>[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('the export is neither JSON nor CSV');
  }
  const pairs = answerSchema.safeParse(value);
  if (pairs.success) {
    return pairs.data.map((row) => Object.fromEntries(row.map((each) => [each.field, each.value])));
  }
  const members = z.array(z.record(z.string(), z.coerce.string())).safeParse(value);
  if (members.success) return members.data;
  throw new Error('the export is JSON, but no result of CloudWatch Logs Insights');
}

const csvRowsSchema = z.array(z.record(z.string(), z.string()));

/** Rows by the names of the first one. A short row lacks the last members; it is told as no row of ours. */
function csvRows(text: string): Record<string, string>[] {
  try {
    const rows = parseCsv(text, {
      bom: true,
      columns: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return csvRowsSchema.parse(rows);
  } catch {
    throw new Error('the export is neither JSON nor CSV');
  }
}

/** `2026-11-30 14:45:55.967`, in UTC, or epoch milliseconds. */
function readInstant(text: string, context: z.RefinementCtx): number {
  const value = /^\d+$/.test(text)
    ? Number(text)
    : Date.parse(`${text.replace(' ', 'T').replace(/Z$/, '')}Z`);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  context.addIssue({ code: 'custom', message: 'is no instant' });
  return z.NEVER;
}
