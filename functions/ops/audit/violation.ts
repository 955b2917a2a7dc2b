// What an audit can find, each with the sentence that says what it means to callers and operators.

export const VIOLATIONS = {
  'record-unreadable': 'a key record does not parse: its key answers 503 until it is purged',
  'record-without-job':
    'a key record names a job that is not stored: replays name a job that nobody has',
  'record-answer-differs': 'the stored answer of a key says something else than its record',
  'records-share-job': 'two key records name one job',
  'job-unreadable': 'a job does not parse: it cannot be read, run or listed',
  'job-without-record':
    'a job has no key record though it is to be kept: its key may make a second job',
  'job-without-claim':
    'a job has a source batch that nobody claimed: the batch may get a second job',
  'job-without-articles': 'a job has no article IDs: no run can end well',
  'job-stuck': 'a job should have been looked at long ago, or is unfinished for too long',
  'job-unseen': "an unfinished job is not in the sweep's index: nobody will look at it",
  'job-swept-for-ever': "a finished job is in the sweep's index: each sweep hands it over again",
  'request-without-job': 'article IDs are stored for a job that is not, though it is to be kept',
  'claim-unreadable': 'a claim on a source batch does not parse',
  'claim-with-ttl': 'a claim on a source batch would be purged, and is for ever',
  'claim-without-job': 'a claim names a job that is not stored though it is to be kept',
  'claim-without-record': 'a claim names a key record that was not made for its job',
  'notification-unreadable': 'a notification does not parse',
  'notification-missing': 'a finished job owes no notification',
  'notification-without-job': 'a notification is stored for a job that is not',
  'notification-differs': 'a notification tells another end than its job has',
  'notification-owed': 'a notification is due for long and nobody sends it',
  'ttl-wrong': 'a purge time is missing, no whole number of seconds, or out of range',
  'past-purge': 'an item is stored long after its purge time: TTL is off or stuck',
  'table-ttl': 'TTL of a table is not what it must be',
  'table-unprotected': 'a table could be lost: no recovery, no deletion protection or no stream',
  'floor-missing': 'after the restore, keys whose records were lost are admitted again',
} as const;

export type ViolationCode = keyof typeof VIOLATIONS;

export type Violation = {
  readonly code: ViolationCode;
  readonly table: string;
  /** The item, by its key. */
  readonly item: string;
  readonly detail: string;
};
