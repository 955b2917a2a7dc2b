// The bytes of each write on the wire stay what they were: an older and a newer release run side by side
// during a deployment, and a retry may meet either. A change here is a decision, told in the change log.
// `UPDATE_WIRE_BYTES=1 npx vitest run test/store/wire-bytes.test.ts` writes them down anew.

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { wire } from '#handlers/wiring.ts';
import { freshDatabase } from '#test/support/dynamodb.ts';
import { connectionOf, serviceEnvironment } from '#test/support/service.ts';
import { noSignals, testLog } from '#test/support/test-log.ts';
import { startWireProxy } from '#test/support/wire-proxy.ts';
import { storeCalls } from './store-calls.ts';

const WRITTEN_DOWN = new URL('wire-bytes.json', import.meta.url);

it('sends the same bytes for create, claim, finish and abandon as the release before', async () => {
  const database = await freshDatabase();
  const proxy = await startWireProxy(database.connection.endpoint);
  const wired = wire({
    environment: serviceEnvironment(database),
    connection: connectionOf(database, proxy.endpoint),
    log: testLog,
    signals: noSignals,
  });
  const sent: Record<string, string> = {};

  for (const [name, call] of Object.entries(storeCalls(wired))) {
    proxy.clear();
    await call();
    const [request] = proxy.requests;
    sent[name] = `${request?.target} ${request?.bodyText}`;
    expect(proxy.requests, name).toHaveLength(1);
  }
  wired.dynamoDb.destroy();
  await proxy.close();

  if (process.env.UPDATE_WIRE_BYTES) {
    writeFileSync(WRITTEN_DOWN, `${JSON.stringify(sent, null, 2)}\n`);
  }
  expect(sent).toEqual(JSON.parse(readFileSync(WRITTEN_DOWN, 'utf8')));
});
