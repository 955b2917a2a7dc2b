// Bug: after a restore, with the floor set, a look-up of a key whose record was lost was "definitive", and
// its abandonment said that nothing had been executed, though the job stood in the table.
// When: a time-stamped key minted below ADMIT_NOT_BEFORE, its record among the minutes that were lost.
// Fix: below the floor nothing is certain; only what is stored is told.

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { v7 } from 'uuid';
import { expect, it } from 'vitest';
import { startService } from '#test/support/service.ts';
import { itemsOf } from '#test/support/table-contents.ts';

const HOUR_MS = 3_600_000;

it('nothing is certain of a key below the floor', async () => {
  const minted = Date.now();
  let nowMs = minted;
  const world = { nowMs: () => nowMs };
  const before = await startService({ world });
  const key = v7({ msecs: minted });
  await before.create(key, { articleIds: ['a'], format: 'text' });
  const [record] = await itemsOf(before.database, 'IdempotencyKeys');
  await before.database.client.send(
    new DeleteItemCommand({ TableName: 'IdempotencyKeys', Key: { pk: { S: record?.pk } } }),
  );
  before.close();
  const restored = await startService({
    database: before.database,
    world,
    environment: { ADMIT_NOT_BEFORE: new Date(minted + 1).toISOString() },
  });

  nowMs = minted + 24.5 * HOUR_MS;
  const found = await restored.call('GET /v1/operations/{key}', { path: { key } });
  const abandoned = await restored.call('POST /v1/operations/{key}/abandon', { path: { key } });
  const other = await restored.call('GET /v1/operations/{key}', {
    path: { key: v7({ msecs: minted + 1 }) },
  });
  restored.close();

  expect(found.body).toMatchObject({ code: 'operation-not-found', definitive: false });
  expect(abandoned.body).toMatchObject({ state: 'abandoned', executed: 'unknown' });
  expect(other.body.definitive).toBe(true);
});
