// The caller's time: how long it waits, until when it wants the operation started, which attempt this is.

import * as z from 'zod';
import { HEADERS } from '#contract/headers.ts';
import { REQUEST_TIMEOUT_MS_MAX } from '#contract/limits.ts';
import { ProblemError } from '#http/problem.ts';
import type { HttpRequest } from '#http/request.ts';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';

export type TimeHeaders = {
  readonly callerTimeoutMs?: number;
  readonly deadlineMs?: EpochMs;
  readonly attemptHint: number;
};

const deadlineSchema = z.iso.datetime({ offset: true });

/** @throws ProblemError deadline-invalid */
export function readTimeHeaders(request: HttpRequest): TimeHeaders {
  const timeout = request.header(HEADERS.requestTimeoutMs)?.trim();
  const deadline = request.header(HEADERS.requestDeadline)?.trim();
  const attempt = request.header(HEADERS.requestAttempt)?.trim() ?? '';
  return {
    ...(timeout !== undefined && { callerTimeoutMs: parseTimeout(timeout) }),
    ...(deadline !== undefined && { deadlineMs: parseDeadline(deadline) }),
    attemptHint: /^[1-9]\d{0,5}$/.test(attempt) ? Number(attempt) : 1,
  };
}

function parseTimeout(text: string): number {
  const ms = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (ms < 1 || ms > REQUEST_TIMEOUT_MS_MAX) {
    throw new ProblemError('deadline-invalid', {
      detail: `X-Request-Timeout-Ms is a whole number from 1 to ${REQUEST_TIMEOUT_MS_MAX}.`,
    });
  }
  return ms;
}

function parseDeadline(text: string): EpochMs {
  const ms = deadlineSchema.safeParse(text.toUpperCase()).success ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(ms) || ms < 0) {
    throw new ProblemError('deadline-invalid', {
      detail: 'X-Request-Deadline is an instant of RFC 3339, such as 2026-01-01T00:00:00Z.',
    });
  }
  return epochMs(Math.floor(ms));
}
