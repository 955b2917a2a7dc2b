// Every port on DynamoDB Local, through the wire proxy.

import { openDynamoBench } from '#test/ports/dynamo-bench.ts';
import { ONLY_ON_THE_WIRE } from '#test/ports/only-on-the-wire.ts';
import { runPortSuite } from '#test/ports/port-suite.ts';
import { STORE_SUITES } from '#test/ports/port-suites.ts';

for (const suite of STORE_SUITES) runPortSuite(suite, 'DynamoDB', openDynamoBench);
for (const [port, cases] of Object.entries(ONLY_ON_THE_WIRE)) {
  runPortSuite({ port, cases }, 'DynamoDB, on the wire alone', openDynamoBench);
}
