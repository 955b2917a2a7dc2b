// Bug: an instant before 1970, well formed, ended in a bare RangeError wherever one was read from text.
// What stands before it is refused or unreadable there; 1970 itself is an instant as any other.

import { describe, expect, it } from 'vitest';
import { parseRetentionSchedule } from '#idempotency/retention-schedule.ts';
import { readLogLine } from '#ops/retention/logs/create-attempt-line.ts';

const NO_MINIMA = { windowMs: 1, graceMs: 1, reserveMs: 1 };
const scheduleFrom = (from: string) => JSON.stringify([{ from, window: 'PT24H', grace: 'PT24H' }]);
const lineAt = (timestamp: string) =>
  JSON.stringify({
    message: 'request',
    route: 'POST /v1/export-jobs',
    timestamp,
    outcome: 'created',
    keyKind: 'opaque',
  });

describe('before 1970', () => {
  it('no entry of a schedule starts', () => {
    expect(parseRetentionSchedule(scheduleFrom('1969-12-31T23:59:59Z'), NO_MINIMA)).toEqual({
      kind: 'refused',
      sentence: 'entry 1 (from 1969-12-31T23:59:59Z) starts before 1970',
    });
    expect(parseRetentionSchedule(scheduleFrom('1970-01-01T00:00:00Z'), NO_MINIMA)).toMatchObject({
      kind: 'ok',
    });
  });

  it('no log line was written: it is unreadable', () => {
    expect(readLogLine(lineAt('1969-12-31T23:59:59.999Z'))).toEqual({ kind: 'unreadable' });
    expect(readLogLine(lineAt('1970-01-01T00:00:00.000Z'))).toMatchObject({
      kind: 'attempt',
      attempt: { atMs: 0 },
    });
  });
});
