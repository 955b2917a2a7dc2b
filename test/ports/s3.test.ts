// The file port on the local S3 server, behind a gate that breaks its answers.

import { openS3Bench } from '#test/ports/file-bench.ts';
import { FILE_SUITE } from '#test/ports/file-port.ts';
import { FILES_ONLY_ON_THE_WIRE } from '#test/ports/only-on-the-wire.ts';
import { runPortSuite } from '#test/ports/port-suite.ts';

runPortSuite(FILE_SUITE, 'S3', openS3Bench);
for (const [port, cases] of Object.entries(FILES_ONLY_ON_THE_WIRE)) {
  runPortSuite({ port, cases }, 'S3, on the wire alone', openS3Bench);
}
