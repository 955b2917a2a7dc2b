// Every port on the simulated store: it promises what the real one does, so that what is shown on it holds.

import { openMemoryBench } from '#test/ports/file-bench.ts';
import { FILE_SUITE } from '#test/ports/file-port.ts';
import { runPortSuite } from '#test/ports/port-suite.ts';
import { STORE_SUITES } from '#test/ports/port-suites.ts';
import { openSimulatedBench } from '#test/ports/simulated-bench.ts';

for (const suite of STORE_SUITES) {
  runPortSuite(suite, 'the simulated store', openSimulatedBench);
}
runPortSuite(FILE_SUITE, 'files in memory', openMemoryBench);
