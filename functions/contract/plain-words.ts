// What is wrong with a value, in words of our own: handed to zod with every parse whose refusal a caller
// or an operator reads. A schema's own message stands before these. Never the value, never a library's words.

import type * as z from 'zod';

/** The rest of a sentence whose subject is the member: `must be a string`. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? OTHER}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return `must be at least ${amount(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must be at most ${amount(issue.maximum, issue.origin)}`;
    case 'unrecognized_keys':
      return 'has members that are not known';
    default:
      return OTHER_SENTENCE;
  }
};

const OTHER = 'of another kind';
const OTHER_SENTENCE = 'is not of the form that is asked for';
const KINDS: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  array: ['item', 'items'],
  string: ['character', 'characters'],
};

function amount(limit: number | bigint, origin: string): string {
  const [one, many] = UNITS[origin] ?? [];
  if (one === undefined) return `${limit}`;
  return `${limit} ${Number(limit) === 1 ? one : many}`;
}
