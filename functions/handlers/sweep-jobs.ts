// Lambda entry: the schedule.
import { wire } from '#handlers/wiring.ts';
import { wireSweepJobs } from '#handlers/worker-wiring.ts';

export const handler = wireSweepJobs(wire());
