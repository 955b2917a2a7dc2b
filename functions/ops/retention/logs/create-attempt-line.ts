// One line of the functions' logs: a create attempt, a sign of the purge backlog, something else, or
// nothing that can be read. The line of a create attempt is written by http/create-signals.ts.
// Must never throw, and never take a line for an attempt that does not parse as one.

import * as z from 'zod';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';

export const CREATE_ROUTE = 'POST /v1/export-jobs';

const attemptSchema = z.object({
  message: z.literal('request'),
  route: z.literal(CREATE_ROUTE),
  /** When it was written, which was not before 1970. */
  timestamp: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .pipe(z.int().min(0)),
  outcome: z.string().optional(),
  keyKind: z.enum(['time-stamped', 'opaque']).optional(),
  latenessMs: z.number().optional(),
  keyHash: z.string().optional(),
});

export type CreateAttempt = {
  readonly atMs: EpochMs;
  readonly outcome: string;
  readonly keyKind: 'time-stamped' | 'opaque';
  /** Since the mint, or the commit for opaque keys; absent where nothing tells. */
  readonly latenessMs?: number;
  readonly keyHash?: string;
};

export type LogLine =
  | { readonly kind: 'attempt'; readonly attempt: CreateAttempt }
  /** A create that was refused before its key could be judged: no key, no JSON, a clock not trusted. */
  | { readonly kind: 'refused-before-judging' }
  /** How long the oldest record of a sample was past its purge, milliseconds. */
  | { readonly kind: 'purge-overdue'; readonly overdueMs: number }
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable' };

const OTHER: LogLine = { kind: 'other' };
const UNREADABLE: LogLine = { kind: 'unreadable' };
const REFUSED: LogLine = { kind: 'refused-before-judging' };

/** Exports of CloudWatch put a time and a stream before the JSON; lines of the platform have none. */
export function readLogLine(line: string): LogLine {
  const start = line.indexOf('{');
  if (start < 0) return PLATFORM_LINE.test(line) ? OTHER : UNREADABLE;
  const value = jsonOrUndefined(start === 0 ? line : line.slice(start));
  if (typeof value !== 'object' || value === null) return UNREADABLE;
  if ('PurgeOverdue' in value) return purgeOverdue(value.PurgeOverdue);
  if (!('message' in value && value.message === 'request')) return OTHER;
  if (!('route' in value && value.route === CREATE_ROUTE)) return OTHER;
  return attemptOf(value);
}

function attemptOf(value: object): LogLine {
  const parsed = attemptSchema.safeParse(value);
  if (!parsed.success) return UNREADABLE;
  const { timestamp, outcome, keyKind, latenessMs, keyHash } = parsed.data;
  if (outcome === undefined || keyKind === undefined) return REFUSED;
  return {
    kind: 'attempt',
    attempt: {
      atMs: epochMs(timestamp),
      outcome,
      keyKind,
      ...(latenessMs !== undefined && { latenessMs }),
      ...(keyHash !== undefined && { keyHash }),
    },
  };
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What Lambda itself writes when its log format is plain text. */
const PLATFORM_LINE = /^(?:\S+\s+)*(?:START|END|REPORT|INIT_START|EXTENSION)\s/;

/** EMF publishes one value as a number, several as a list. */
function purgeOverdue(value: unknown): LogLine {
  const values = (Array.isArray(value) ? value : [value]).filter(
    (each) => typeof each === 'number' && each >= 0,
  );
  return values.length === 0 ? OTHER : { kind: 'purge-overdue', overdueMs: Math.max(...values) };
}
