// One plain configuration for all tests: `npm test` starts one DynamoDB Local and ends its output
// with one line `tests: N passed, N failed, N skipped`.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/dynamodb-setup.ts', 'test/support/log-setup.ts'],
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    pool: 'forks',
    // Two cores, and DynamoDB Local wants part of them: more workers only wait for each other.
    maxWorkers: 2,
    // Milliseconds. Generous, since a busy machine is no failure; a test that hangs still ends.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    teardownTimeout: 15_000,
    unstubEnvs: true,
    restoreMocks: true,
  },
});
