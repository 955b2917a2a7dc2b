import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '#contract/export-job.ts';
import { isFinished, JOB_MOVES, type JobMove, statusAfter } from '#export-jobs/job.ts';
import { jobPurgeAtSeconds } from '#export-jobs/job-purge.ts';
import { type EpochSeconds, epochMs } from '#idempotency/epoch.ts';
import { bitsFromPlaces, placesFromBits } from '#store/job-item.ts';

const MOVES = Object.keys(JOB_MOVES) as JobMove[];

describe('the moves of a job', () => {
  it('are these and no others', () => {
    const table = MOVES.map((move) => {
      const outcomes = JOB_STATUSES.map((status) => {
        try {
          return statusAfter(move, status);
        } catch {
          return '-';
        }
      });
      return [move, ...outcomes].join(' ');
    });

    // Columns: queued running succeeded failed cancelled
    expect(table).toEqual([
      'claim running running - - -',
      'renew - running - - -',
      'release - running - - -',
      'requestCancel - running - - -',
      'cancelQueued cancelled - - - -',
      'succeed - succeeded - - -',
      'fail - failed - - -',
      'cancelRunning - cancelled - - -',
    ]);
  });

  it('never start at a finished status', () => {
    for (const status of JOB_STATUSES.filter(isFinished)) {
      for (const move of MOVES) expect(() => statusAfter(move, status)).toThrow(status);
    }
  });
});

describe('the purge of a job', () => {
  const finished = epochMs(1_000_000_000_001);
  const seconds = (value: number) => value as EpochSeconds;

  it('is its retention after the end, rounded up to a second', () => {
    expect(jobPurgeAtSeconds(finished, seconds(0), 5_000)).toBe(1_000_000_006);
  });

  it('is never before that of its key record', () => {
    expect(jobPurgeAtSeconds(finished, seconds(1_000_000_006), 5_000)).toBe(1_000_000_006);
    expect(jobPurgeAtSeconds(finished, seconds(1_000_000_007), 5_000)).toBe(1_000_000_007);
  });
});

describe('places as bits', () => {
  it.each([[[0]], [[7, 8]], [[499]], [[0, 1, 2, 3, 498]]])(
    '%j come back as they were',
    (places) => {
      const bits = bitsFromPlaces(places);

      expect(placesFromBits(bits)).toEqual(places);
      expect(bits.byteLength).toBeLessThanOrEqual(63);
    },
  );
});
