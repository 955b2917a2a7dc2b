import { describe, expect, it } from 'vitest';
import { JOB_STATUSES, type JobStatus } from '#contract/export-job.ts';
import { isFinished, JOB_MOVES, type JobMove } from '#export-jobs/job.ts';
import type { HeldEnd } from '#export-jobs/job-lease-port.ts';
import { jobPurgeAtSeconds } from '#export-jobs/job-purge.ts';
import { type EpochSeconds, epochMs } from '#idempotency/epoch.ts';
import { bitsFromPlaces, placesFromBits } from '#store/job-item.ts';

const MOVES = Object.keys(JOB_MOVES) as JobMove[];

describe('the moves of a job', () => {
  it('never start at a finished status', () => {
    for (const move of MOVES) {
      expect([move, JOB_MOVES[move].from.filter(isFinished)]).toEqual([move, []]);
    }
  });

  it('that are impossible do not compile: nobody but a holder of the lease ends a job with a file', () => {
    const cancelled: HeldEnd = { held: { by: 'nobody' }, end: { status: 'cancelled' } };
    // @ts-expect-error a job that nobody holds can only be cancelled
    const succeeded: HeldEnd = {
      held: { by: 'nobody' },
      end: { status: 'succeeded', file: { bytes: 1, sha256: '' } },
    };

    expect(succeeded.end).not.toEqual(cancelled.end);
  });

  it('reach every finished status', () => {
    const reached = new Set<JobStatus>(MOVES.map((move) => JOB_MOVES[move].to));

    expect(JOB_STATUSES.filter(isFinished).every((status) => reached.has(status))).toBe(true);
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
