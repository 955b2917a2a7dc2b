// A legal move of a job as the parts of an update: the move's data decides what the condition and the
// new status are, so that no expression can say otherwise.

import type { JobStatus } from '#contract/export-job.ts';
import { JOB_MOVES, type JobMove } from '#export-jobs/job.ts';

export type MoveExpression = {
  readonly set: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, JobStatus>>;
};

/** `#status` names the attribute. */
export function moveExpression(move: JobMove): MoveExpression {
  const { from, to } = JOB_MOVES[move];
  const values = Object.fromEntries(from.map((status, index) => [`:from${index}`, status]));
  return {
    set: '#status = :to',
    condition: `#status IN (${Object.keys(values).join(', ')})`,
    values: { ...values, ':to': to },
  };
}
