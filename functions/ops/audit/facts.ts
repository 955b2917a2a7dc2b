// What an audit remembers of an item until all tables are read: enough to join them by job ID, in a line
// of text, so that memory does not grow with the tables.

import type { JobStatus } from '#contract/export-job.ts';

export type RecordFact = {
  readonly kind: 'record';
  readonly jobId: string;
  readonly pk: string;
  readonly purgeAtSeconds: number;
};
export type JobFact = {
  readonly kind: 'job';
  readonly jobId: string;
  readonly owner: string;
  readonly status: JobStatus;
  readonly createdAtMs: number;
  readonly keyPurgeAtSeconds: number;
  /** 0: none. */
  readonly purgeAtSeconds: number;
  readonly hasBatch: boolean;
  readonly hasArticleIds: boolean;
};
export type RequestFact = { readonly kind: 'request'; readonly jobId: string };
export type ClaimFact = {
  readonly kind: 'claim';
  readonly jobId: string;
  readonly pk: string;
  readonly recordPk: string;
  readonly createdAtMs: number;
};
export type RowFact = {
  readonly kind: 'row';
  readonly jobId: string;
  readonly notificationId: string;
  readonly event: string;
  readonly createdAtMs: number;
  readonly purgeAtSeconds: number;
};
export type Fact = RecordFact | JobFact | RequestFact | ClaimFact | RowFact;

const FIELDS = {
  record: ['pk', 'purgeAtSeconds'],
  job: [
    'owner',
    'status',
    'createdAtMs',
    'keyPurgeAtSeconds',
    'purgeAtSeconds',
    'hasBatch',
    'hasArticleIds',
  ],
  request: [],
  claim: ['pk', 'recordPk', 'createdAtMs'],
  row: ['notificationId', 'event', 'createdAtMs', 'purgeAtSeconds'],
} as const satisfies Record<Fact['kind'], readonly string[]>;

/** `jobId` first: lines of other parts are passed by without parsing them. */
export function factToLine(fact: Fact): string {
  const values = fact as unknown as Record<string, unknown>;
  return `${fact.jobId}\t${JSON.stringify([fact.kind, ...FIELDS[fact.kind].map((name) => values[name])])}\n`;
}

export function factFromLine(line: string): Fact {
  const cut = line.indexOf('\t');
  const [kind, ...values] = JSON.parse(line.slice(cut + 1)) as [Fact['kind'], ...unknown[]];
  const named = FIELDS[kind].map((name, place) => [name, values[place]]);
  return { kind, jobId: line.slice(0, cut), ...Object.fromEntries(named) } as Fact;
}

/** Which of so many parts a job's facts are judged in. */
export function partOf(line: string, parts: number): number {
  let hash = 0;
  for (let at = 0; line.charCodeAt(at) !== 9 && at < line.length; at += 1) {
    hash = (Math.imul(hash, 31) + line.charCodeAt(at)) | 0;
  }
  return (hash >>> 0) % parts;
}
