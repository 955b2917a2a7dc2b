// Lambda's event filter patterns, as far as serverless.yml uses them: lists of exact values,
// `prefix`, `exists` and `anything-but`, nested objects. All members must match; one entry of a list
// is enough. An operator that is not known here is refused, since "matches nothing" would lose work.

import { Sentence } from '#local/stack/sentence.ts';

export interface FilterPattern {
  readonly [member: string]: FilterPattern | readonly FilterValue[];
}
type Plain = string | number | boolean | null;
type FilterValue =
  | Plain
  | { readonly prefix: string }
  | { readonly exists: boolean }
  | { readonly 'anything-but': readonly Plain[] };

/** True when any pattern matches; without patterns everything does. */
export function passesFilter(record: unknown, patterns: readonly FilterPattern[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(record, pattern));
}

function matches(value: unknown, pattern: FilterPattern): boolean {
  return Object.entries(pattern).every(([name, expected]) => {
    const actual =
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[name]
        : undefined;
    return Array.isArray(expected)
      ? expected.some((one) => matchesValue(actual, one))
      : matches(actual, expected as FilterPattern);
  });
}

function matchesValue(actual: unknown, expected: FilterValue): boolean {
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  if ('prefix' in expected) return typeof actual === 'string' && actual.startsWith(expected.prefix);
  if ('exists' in expected) return (actual !== undefined) === expected.exists;
  if ('anything-but' in expected) {
    return actual !== undefined && ![expected['anything-but']].flat().includes(actual as Plain);
  }
  throw new Sentence(
    `The event filter ${JSON.stringify(expected)} is not known to the local stack.`,
  );
}
