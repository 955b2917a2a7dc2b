// The metrics that the service emits, as alarms and dashboards see them: names, units and what they count.
// No metric has a dimension but the service's: a caller, key or job among the dimensions would cost a
// metric each.

export const METRIC_NAMESPACE = 'export-once';

export const METRICS = {
  AttemptCreated: { unit: 'Count', counts: 'creates that made a job' },
  AttemptRecovered: { unit: 'Count', counts: 'of these, whose own answer had been lost' },
  AttemptReplayed: { unit: 'Count', counts: 'creates answered from their record' },
  AttemptReused: { unit: 'Count', counts: 'keys sent with other parameters' },
  AttemptExpired: { unit: 'Count', counts: 'keys past their retention window' },
  AttemptInFuture: { unit: 'Count', counts: 'keys minted in the future' },
  AttemptBatchTaken: { unit: 'Count', counts: 'source batches that had their job' },
  AttemptAbandoned: { unit: 'Count', counts: 'creates of abandoned intents' },
  AttemptInvalid: { unit: 'Count', counts: 'bodies that failed validation' },
  AttemptUnknown: { unit: 'Count', counts: 'attempts whose outcome could not be told' },
  AttemptStoreUnavailable: { unit: 'Count', counts: 'attempts that the store did not take' },
  AttemptClockUntrusted: { unit: 'Count', counts: 'attempts refused for an untrusted clock' },
  AttemptDeadlinePassed: { unit: 'Count', counts: 'attempts whose time was used up' },
  /** Since the mint, or the commit for opaque keys. Percentiles against the window. */
  ReplayAge: { unit: 'Milliseconds', counts: 'age of a key when it was replayed' },
  ReplayAgeShare: { unit: 'Percent', counts: 'that age as a share of the window' },
  LateArrivalRefused: { unit: 'Count', counts: 'time-stamped keys that came after their window' },
  CreateTries: { unit: 'Count', counts: 'store writes sent for one create' },
  StoreLatency: { unit: 'Milliseconds', counts: 'one request to DynamoDB' },
  StoreConflict: { unit: 'Count', counts: 'tries refused for a conflicting transaction' },
  StoreThrottle: { unit: 'Count', counts: 'tries refused for throttling' },
  StoreFailure: { unit: 'Count', counts: 'requests to DynamoDB that failed; the log names how' },
  StoreUnknown: { unit: 'Count', counts: 'tries without an answer that proves anything' },
  JobQueuedTime: { unit: 'Milliseconds', counts: 'from create to the first run' },
  JobRunningTime: { unit: 'Milliseconds', counts: 'from the first run to the end' },
  JobRuns: { unit: 'Count', counts: 'runs that a finished job took' },
  JobFailed: { unit: 'Count', counts: 'jobs that ended as failed' },
  LeaseTakeover: { unit: 'Count', counts: 'runs that took over a job from another' },
  RunStale: { unit: 'Count', counts: 'runs that found themselves overtaken' },
  SweepDue: { unit: 'Count', counts: 'stuck jobs that a sweep found' },
  SweepOldest: { unit: 'Milliseconds', counts: 'how long the oldest of them was overdue' },
  /** Put off by each sweep, a stuck job is never overdue for long; its age shows that it is stuck. */
  OldestDueJob: { unit: 'Milliseconds', counts: 'age of the oldest of them since its create' },
  OutboxOldest: {
    unit: 'Milliseconds',
    counts: 'how long the oldest notification owed was overdue',
  },
  PurgeOverdue: {
    unit: 'Milliseconds',
    counts: 'time past purge of the oldest record in a sample',
  },
} as const satisfies Record<string, MetricKind>;

type MetricKind = { readonly unit: 'Count' | 'Milliseconds' | 'Percent'; readonly counts: string };

export type MetricName = keyof typeof METRICS;
/** Emits one value. */
export type Measure = (name: MetricName, value: number) => void;
