// What each problem means in plain words: what happened, whether anything was executed, what to do next.
// Served by GET /problems/{code}. Every code has its entry, or this does not compile; what is said here
// must never promise more than the catalogue's `executed`, `intent` and `retry`.

import * as z from 'zod';
import { PROBLEM_CODES, type ProblemCode } from '#contract/problem-catalogue.ts';

type Explanation = {
  readonly happened: string;
  readonly executed: string;
  readonly next: string;
};

const NOT_EXECUTED = 'No. This attempt changed nothing and did not use the key up.';
const NOTHING_READ_ONLY = 'Nothing was to be executed: nothing was changed.';
const FIX_AND_RESEND = 'Correct it and send it again under the same key.';

export const PROBLEM_EXPLANATIONS: Readonly<Record<ProblemCode, Explanation>> = {
  'idempotency-key-missing': {
    happened: 'The request has no Idempotency-Key header, and this operation is never run without.',
    executed: NOT_EXECUTED,
    next: 'Make one key for the intent (a UUIDv7 is best), store it with the intent, and send it on every attempt.',
  },
  'idempotency-key-invalid': {
    happened:
      'The key is not 1 to 255 characters of A-Z a-z 0-9 . _ ~ : - or it is "." or "..". Two header lines count as one with a comma in it, which is not allowed either.',
    executed: NOT_EXECUTED,
    next: 'Make a key that fits the grammar. If the intent was sent under a fitting key before, use that one.',
  },
  'idempotency-key-in-future': {
    happened:
      'The key is a UUIDv7 whose time lies more than five minutes ahead of the service: the clock of the caller is wrong.',
    executed: NOT_EXECUTED,
    next: 'Compare your clock with serverTime. Send the same key again: it is admitted once its time is near.',
  },
  'deadline-invalid': {
    happened: 'X-Request-Timeout-Ms or X-Request-Deadline is malformed or out of its range.',
    executed: NOT_EXECUTED,
    next: FIX_AND_RESEND,
  },
  'invalid-json': {
    happened: 'The body is empty, is not UTF-8, or does not parse as JSON (RFC 8259).',
    executed: NOT_EXECUTED,
    next: FIX_AND_RESEND,
  },
  'validation-failed': {
    happened:
      'The request was understood and is not valid. `errors` names each place by JSON pointer. A cursor of another caller, of other filters or made up is refused in this way too.',
    executed: NOT_EXECUTED,
    next: 'Correct what `errors` names. The key was not used up: send the corrected request under the same one.',
  },
  unauthenticated: {
    happened: 'The token names no issuer or no subject, so the service does not know who asks.',
    executed: NOT_EXECUTED,
    next: 'Get a token with `iss` and `sub`, then send the same request with the same key.',
  },
  'job-not-found': {
    happened:
      'There is no job of this ID, or it belongs to another caller, or it is past its retention.',
    executed: NOTHING_READ_ONLY,
    next: 'Check the ID. If you have only the key, ask GET /v1/operations/{key}.',
  },
  'article-not-found': {
    happened: 'There is no article of this ID among those of this caller.',
    executed: NOTHING_READ_ONLY,
    next: 'Check the ID, or PUT the article.',
  },
  'operation-not-found': {
    happened:
      'Nothing is recorded for this key so far. Unless `definitive` is true, an attempt may still be on its way.',
    executed:
      'With `definitive: true`: no, and it never will be. Otherwise this is not known: a plain 404 proves nothing.',
    next: 'Send the create again with the same key, or abandon the intent: POST /v1/operations/{key}/abandon makes sure.',
  },
  'route-not-found': {
    happened: 'Nothing is served under this path.',
    executed: NOTHING_READ_ONLY,
    next: 'See GET /docs for what is served. Operators: functions take payload format 2.0 only.',
  },
  'method-not-allowed': {
    happened: 'The path is served, and not under the method that was used.',
    executed: NOTHING_READ_ONLY,
    next: 'Use one of the methods that the `Allow` header of the answer names; GET /docs tells what each does.',
  },
  'source-batch-taken': {
    happened:
      'This sourceBatchId has its job already, made under another key. A batch has one job, for ever.',
    executed: 'No, not by this attempt. The job named in `job` is the one of this batch.',
    next: 'Use the job that is named. Another key does not help; a new batch needs a new sourceBatchId.',
  },
  'operation-abandoned': {
    happened: 'The intent of this key was abandoned before it was executed.',
    executed: 'No, and under this key it never will be.',
    next: 'If the export is wanted after all, that is a new intent: give it a new key.',
  },
  'operation-committed': {
    happened:
      'The abandonment came too late: the intent was executed before. `job` names what it made.',
    executed: 'The abandonment was not. The job exists.',
    next: 'Use the job, or cancel it: POST /v1/export-jobs/{jobId}/cancel.',
  },
  'job-already-finished': {
    happened: 'The job has succeeded or failed; a finished state never changes.',
    executed: 'The cancellation was not executed.',
    next: 'Nothing: read the job to see how it ended.',
  },
  'job-not-finished': {
    happened: 'The job is queued or running, so it has no file yet.',
    executed: NOTHING_READ_ONLY,
    next: 'Wait for it: GET the job with Prefer: wait=20, or ask again.',
  },
  'job-has-no-file': {
    happened: 'The job failed or was cancelled: it ended without a file, and will never have one.',
    executed: NOTHING_READ_ONLY,
    next: 'Read `error` of the job. A new try is a new intent: give it a new key.',
  },
  'file-gone': {
    happened: 'The job succeeded, and its file is past the time for which files are kept.',
    executed: NOTHING_READ_ONLY,
    next: 'If you need the file again, that is a new intent: create a job under a new key.',
  },
  'idempotency-key-expired': {
    happened:
      'The key is past its retention window: it was used long ago, or it is a UUIDv7 minted too long ago to be admitted.',
    executed:
      'Not by this attempt. `intent: committed` says that an earlier one was executed, and `job` names its job. `intent: unknown` says that no record tells.',
    next: 'Do not simply take a new key: first look for the job, by `job`, by GET /v1/export-jobs?idempotencyKey= or by ?sourceBatchId=.',
  },
  'precondition-failed': {
    happened:
      'If-Match or If-None-Match does not hold: the article is not in the state that you named.',
    executed: 'No. The article is as it was.',
    next: 'Read the article, look at its ETag (the answer carries the current one, when there is an article), and decide anew.',
  },
  'body-too-large': {
    happened:
      'The body is over the limit of this operation; GET /v1/capabilities tells the limits.',
    executed: NOT_EXECUTED,
    next: 'Send less under the same key: fewer articles in one job, or a shorter article.',
  },
  'unsupported-media-type': {
    happened:
      'The body is not one plain application/json in UTF-8, or it carries a Content-Encoding.',
    executed: NOT_EXECUTED,
    next: 'Send JSON as it is, with one Content-Type: application/json, under the same key.',
  },
  'idempotency-key-reused': {
    happened:
      'The key was used before with other parameters. `members` names the parts of the body that differ, `job` the job that the first request made.',
    executed: 'Not this request. The first one was.',
    next: 'If this is a retry, send the body of the first attempt unchanged. If it is a new intent, give it a new key.',
  },
  'internal-error': {
    happened: 'Something failed on our side that we did not foresee.',
    executed: 'Not known. It may have been.',
    next: 'Send the same request with the same key again: it is executed at most once.',
  },
  'store-unavailable': {
    happened:
      'The store did not take the write, or did not answer the read, within the time of this attempt.',
    executed: 'No, this attempt wrote nothing. An earlier attempt may have.',
    next: 'Send the same request with the same key again.',
  },
  'clock-untrusted': {
    happened:
      'The clock of the service and that of the gateway are more than a minute apart, so neither is believed.',
    executed: 'No. Nothing was read or written.',
    next: 'Send the same request with the same key again. The operators are told.',
  },
  'outcome-unknown': {
    happened: 'The write was sent, and its answer did not come in time.',
    executed: 'Not known: it may have been, it may still be.',
    next: 'Send the same request with the same key again; it makes no second job. To give up instead, abandon the intent.',
  },
  'deadline-passed': {
    happened: 'Your timeout or deadline was used up before anything was written.',
    executed: 'No, this attempt wrote nothing. An earlier attempt may have.',
    next: 'If you still want it, send the same request with the same key and more time.',
  },
};

/** 200 of `GET /problems/{code}` with `Accept: application/json`. */
export const problemExplanationSchema = z
  .object({
    code: z.enum(PROBLEM_CODES),
    status: z.int(),
    title: z.string(),
    happened: z.string().meta({ description: 'What happened.' }),
    executed: z.string().meta({ description: 'Was anything executed.' }),
    next: z.string().meta({ description: 'What to do next.' }),
  })
  .meta({ id: 'ProblemExplanation' });
export type ProblemExplanation = z.infer<typeof problemExplanationSchema>;
