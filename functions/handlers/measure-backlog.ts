// Lambda entry: the schedule of looks at what waits.
import { wire } from '#handlers/wiring.ts';
import { wireMeasureBacklog } from '#handlers/worker-wiring.ts';

export const handler = wireMeasureBacklog(wire());
