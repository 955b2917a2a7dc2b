// Lambda entry: the stream of ExportJobs.
import { wire } from '#handlers/wiring.ts';
import { wireHandOverJobs } from '#handlers/worker-wiring.ts';

export const handler = wireHandOverJobs(wire());
