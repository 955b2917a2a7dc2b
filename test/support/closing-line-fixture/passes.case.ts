// One test that passes and one that is left out: for the test of the closing line.

import { expect, it } from 'vitest';

it('passes', () => expect(1).toBe(1));
it.skip('is left out', () => {});
