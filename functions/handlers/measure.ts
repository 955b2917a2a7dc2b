// Metrics as CloudWatch reads them from the logs (embedded metric format): no call, no agent.

import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { METRIC_NAMESPACE, METRICS } from '#contract/metrics.ts';
import type { Signals } from '#http/edge-parts.ts';

const UNITS = {
  Count: MetricUnit.Count,
  Milliseconds: MetricUnit.Milliseconds,
  Percent: MetricUnit.Percent,
};

/**
 * Values of one invocation are published together, as one line. The stage is in the one dimension:
 * else two stages of one account would fire each other's alarms.
 */
export function createSignals(stage = process.env.STAGE): Signals {
  const serviceName = `export-once-${stage}`;
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName });
  return {
    measure: (name, value) => metrics.addMetric(name, UNITS[METRICS[name].unit], value),
    publish: () => {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
