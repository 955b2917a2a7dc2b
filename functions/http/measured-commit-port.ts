// The commit port with its tries counted and timed: what the store did, seen from the one attempt.

import type { Measure } from '#contract/metrics.ts';
import type { ExportJobCommitPort } from '#export-jobs/create-port.ts';

export type Tries = { writes: number };

export function measuredCommitPort(
  port: ExportJobCommitPort,
  measure: Measure,
  monotonicMs: () => number,
): { readonly port: ExportJobCommitPort; readonly tries: Tries } {
  const tries: Tries = { writes: 0 };
  const timed = async <T>(call: () => Promise<T>): Promise<T> => {
    const startedMs = monotonicMs();
    const answer = await call();
    measure('StoreLatency', monotonicMs() - startedMs);
    return answer;
  };
  return {
    tries,
    port: {
      readRecord: (recordKey, options) => timed(() => port.readRecord(recordKey, options)),
      readClaim: (effect, options) => timed(() => port.readClaim(effect, options)),
      prepare: (record, effect) => {
        const prepared = port.prepare(record, effect);
        return {
          async send(options) {
            const result = await timed(() => prepared.send(options));
            if (result.kind === 'not-applied' && result.why === 'not-sent') return result;
            tries.writes += 1;
            if (result.kind === 'unknown') measure('StoreUnknown', 1);
            if (result.kind === 'not-applied' && result.why === 'conflict')
              measure('StoreConflict', 1);
            if (result.kind === 'not-applied' && result.why === 'throttled')
              measure('StoreThrottle', 1);
            return result;
          },
        };
      },
    },
  };
}
