// Lambda entry: one go at one job. The thread's module stands beside this one; bundling names its bundle.
import { wireRunJob } from '#handlers/run-job-wiring.ts';

export const handler = wireRunJob(new URL('./render-article-thread.ts', import.meta.url));
