// Ends the output of a test run with one line: `tests: N passed, N failed, N skipped`.
// A file that cannot be loaded, a hook that throws and an error outside any test count as failed;
// so does a run that ends with an error before it reports anything. Never says 0 failed then.

import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export default class ClosingLineReporter implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  constructor() {
    // On exit, so that nothing can be printed after it.
    process.once('exit', (code) => {
      if (code !== 0 && this.#failed === 0) this.#failed = 1;
      writeSync(
        1,
        `tests: ${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped\n`,
      );
    });
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    // Each time anew: a watching run ends many times.
    this.#passed = 0;
    this.#failed = unhandledErrors.length;
    this.#skipped = 0;
    for (const module of modules) this.#count(module);
  }

  #count(module: TestModule): void {
    this.#failed += module.errors().length;
    for (const suite of module.children.allSuites()) this.#failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') this.#passed += 1;
      else if (state === 'failed') this.#failed += 1;
      else this.#skipped += 1;
    }
  }
}
