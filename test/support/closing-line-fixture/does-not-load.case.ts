// A file that cannot be loaded: for the test of the closing line.

import { it } from 'vitest';

await Promise.reject(new Error('on purpose'));
it('never exists', () => {});
