// One test that fails, and a hook that does: for the test of the closing line.

import { beforeAll, describe, expect, it } from 'vitest';

it('fails', () => expect(1).toBe(2));
describe('a group whose hook fails', () => {
  beforeAll(() => {
    throw new Error('on purpose');
  });
  it('never runs', () => {});
});
