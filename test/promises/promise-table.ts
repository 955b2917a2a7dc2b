// All rows of the promise, in the order in which docs/promises.md shows them.

import { ARTICLES_AND_LISTS } from '#test/promises/articles-and-lists.ts';
import { CREATING } from '#test/promises/creating.ts';
import { EDGE } from '#test/promises/edge.ts';
import { FAULTS } from '#test/promises/faults.ts';
import { INTENTS } from '#test/promises/intents.ts';
import { JOBS_AND_FILES } from '#test/promises/jobs-and-files.ts';
import { KEYS_OVER_TIME } from '#test/promises/keys-over-time.ts';
import { PROCESSES } from '#test/promises/processes.ts';
import type { PromiseRow } from '#test/promises/promise-row.ts';

/** By the headings of the chapter. */
export const PROMISE_TABLE: Readonly<Record<string, readonly PromiseRow[]>> = {
  'One job for one key': CREATING,
  'Keys and clocks': KEYS_OVER_TIME,
  'When something fails': [...FAULTS, ...PROCESSES],
  'What became of it': INTENTS,
  'The job and its file': JOBS_AND_FILES,
  'Articles and lists': ARTICLES_AND_LISTS,
  'At the door': EDGE,
};
