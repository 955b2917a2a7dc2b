// EventBridge's `rate(…)` schedules: invokes a function again and again, the first time one interval
// after the start. A run that takes longer than the interval is not overlapped by the next.

import type { Invoke } from '#local/lambda/function-pool.ts';
import type { FunctionDefinition } from '#local/stack/service-definition.ts';

export function startSchedules(
  functions: readonly FunctionDefinition[],
  invoke: Invoke,
  say: (line: string) => void,
): { stop(): void } {
  const timers = functions.flatMap((definition) =>
    definition.scheduleMs.map((everyMs) => {
      let running = false;
      return setInterval(async () => {
        if (running) return;
        running = true;
        const outcome = await invoke(definition, scheduledEvent());
        running = false;
        if (!outcome.ok) say(`${definition.name} failed: ${outcome.error.errorMessage}`);
      }, everyMs);
    }),
  );
  return {
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

function scheduledEvent() {
  return {
    version: '0',
    id: crypto.randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    time: new Date().toISOString(),
    region: process.env.AWS_REGION ?? 'us-east-1',
    resources: [],
    detail: {},
  };
}
