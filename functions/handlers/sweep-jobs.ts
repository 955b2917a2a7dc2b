// Lambda entry: the schedule.
import { wireSweepJobs } from '#handlers/wiring.ts';

export const handler = wireSweepJobs();
