// Lambda entry: one go at one job. The thread's module stands beside this one; bundling names its bundle.
import { wire } from '#handlers/wiring.ts';
import { wireRunJob } from '#handlers/worker-wiring.ts';

export const handler = wireRunJob(wire(), new URL('./render-article-thread.ts', import.meta.url));
