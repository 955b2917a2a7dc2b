// The promise in plain words, situation and answer, as it stands on top of the docs page. Says nothing
// that the tests of the routes do not hold.

export type PromiseRow = {
  readonly situation: string;
  /** Statuses and codes that the answer may have; empty: no HTTP answer of ours. */
  readonly answers: readonly string[];
  readonly meaning: string;
};

export const PROMISE: readonly PromiseRow[] = [
  {
    situation: 'You send an intent for the first time.',
    answers: ['202'],
    meaning:
      'The job exists. Idempotent-Replayed: false; Location names the job. Its file comes later.',
  },
  {
    situation: 'You do not know whether it arrived, and send the same again with the same key.',
    answers: ['202'],
    meaning:
      'The first answer again, byte for byte, with Idempotent-Replayed: true. No second job, also when the job has failed, was cancelled or is gone.',
  },
  {
    situation: 'Many attempts of one intent arrive at once.',
    answers: ['202'],
    meaning: 'One makes the job; every other gets the same answer in the same call.',
  },
  {
    situation: 'The same key comes with another body.',
    answers: ['422 idempotency-key-reused'],
    meaning: 'Nothing is executed. The answer names the first job and the members that differ.',
  },
  {
    situation: 'A new key comes with the same body.',
    answers: ['202'],
    meaning: 'A new intent, a new job: the key says what is one wish, not the body.',
  },
  {
    situation: 'A new key comes with a sourceBatchId that has its job.',
    answers: ['409 source-batch-taken'],
    meaning: 'Nothing is executed, for ever. The answer names the job of the batch.',
  },
  {
    situation: 'The request is refused: malformed, too large, not authorised.',
    answers: ['400', '401', '413', '415'],
    meaning: 'Nothing is executed and the key is not used up: correct it and keep the key.',
  },
  {
    situation: 'Your timeout or deadline is used up before anything was written.',
    answers: ['504 deadline-passed'],
    meaning: 'This attempt wrote nothing.',
  },
  {
    situation: 'We cannot reach our store.',
    answers: ['503 store-unavailable', '503 outcome-unknown'],
    meaning:
      '`executed` says `no` or `unknown`, never a guess. Send the same again with the same key.',
  },
  {
    situation: 'The connection breaks, or the gateway says 429 or 5xx.',
    answers: [],
    meaning: 'The outcome is unknown. Send the same again with the same key.',
  },
  {
    situation: 'The key is past its retention window.',
    answers: ['412 idempotency-key-expired'],
    meaning:
      'Nothing is executed. A UUIDv7 key never makes two jobs, however late an attempt arrives; any other key is new again once its record is purged.',
  },
  {
    situation: 'You ask what became of an intent.',
    answers: ['200', '404 operation-not-found'],
    meaning: 'Committed, with its job, or abandoned. 404 is a proof only with definitive: true.',
  },
  {
    situation: 'You give up and want to be sure that nothing will be executed: abandon.',
    answers: ['200', '409 operation-committed'],
    meaning: 'It will not be executed; or it had been, and the answer names the job.',
  },
  {
    situation: 'Another caller uses the same key.',
    answers: ['202'],
    meaning: 'Another intent. Keys, jobs, batches and articles belong to one caller each.',
  },
];
