// Bug: an invalid body under a key whose record had just been read was told `intent: "unknown"`; a query
// parameter of a look-up was ignored. Bug: bytes that are no UTF-8 arrived as U+FFFD, so that two different
// bodies were one intent. What an answer knows it says, and what cannot be told apart is not taken.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from '#test/support/http-caller.ts';
import { type Service, startService } from '#test/support/service.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';
import { jobsOf } from '#test/support/table-contents.ts';

const BODY = { articleIds: ['a-1'], format: 'text' };

describe('what an answer knows', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());
  const lookUp = (key: string, query: Record<string, string>) =>
    service.call('GET /v1/operations/{key}', { path: { key }, query });
  const abandon = (key: string, query: Record<string, string> = {}) =>
    service.call('POST /v1/operations/{key}/abandon', { path: { key }, query });

  it('says that the intent of an invalid body is committed, and names its job', async () => {
    const made = await service.create('k-committed', BODY);

    const answer = await service.create('k-committed', { ...BODY, format: 'pdf' });

    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'validation-failed',
        executed: 'no',
        intent: 'committed',
        idempotencyKey: 'k-committed',
        job: { id: made.body.id, href: made.body.links.self },
      },
    });
  });

  it('says that it is abandoned, and that only a new key helps', async () => {
    await abandon('k-abandoned');

    const answer = await service.create('k-abandoned', { ...BODY, format: 'pdf' });

    expect(answer.body).toMatchObject({
      code: 'validation-failed',
      intent: 'abandoned',
      retry: 'new-key',
    });
  });

  it('says that nothing is known where nothing is recorded', async () => {
    const answer = await service.create('k-none', { ...BODY, format: 'pdf' });

    expect(answer.body).toMatchObject({ intent: 'unknown', retry: 'same-key' });
    expect(answer.body.job).toBeUndefined();
  });

  it('takes the operation of a key, and refuses one that it does not know', async () => {
    const { body } = await service.create('k-operation', BODY);

    const asked = await lookUp('k-operation', { operation: 'create-export-job' });
    const other = await lookUp('k-operation', { operation: 'destroy-export-job' });
    const misspelt = await lookUp('k-operation', { operations: 'create-export-job' });
    const late = await abandon('k-operation', { operation: 'create-export-job' });
    const wrong = await abandon('k-free', { operation: 'x' });

    expect(asked.body.job.id).toBe(body.id);
    expect([other.status, other.body.errors[0].pointer]).toEqual([400, '/operation']);
    expect([misspelt.status, misspelt.body.errors[0].pointer]).toEqual([400, '/operations']);
    expect(late.body.code).toBe('operation-committed');
    expect(wrong.body).toMatchObject({ code: 'validation-failed', executed: 'no' });
    expect((await lookUp('k-free', {})).status).toBe(404);
  });

  it('creates under no other operation', async () => {
    const query = { operation: 'rerun-export-job' };

    const refused = await service.create('k-other', BODY, { query });
    const made = await service.create('k-other', BODY, {
      query: { operation: 'create-export-job' },
    });

    expect(refused.body).toMatchObject({ code: 'validation-failed', executed: 'no' });
    expect(made.status).toBe(202);
  });

  it('takes U+FFFD under a key only where it was written as an escape', async () => {
    const raw = await service.create(
      'k-raw',
      '{"articleIds":["a"],"format":"text","title":"\ufffd"}',
    );
    const escaped = await service.create(
      'k-raw',
      '{"articleIds":["a"],"format":"text","title":"\\ufffd"}',
    );
    const bytes = await service.create(
      'k-bytes',
      Buffer.from('{"articleIds":["a"],"format":"text","title":"\ufffd"}'),
    );

    expect(raw.body).toMatchObject({ code: 'invalid-json', executed: 'no', retry: 'same-key' });
    expect(escaped.status).toBe(202);
    expect(bytes.status).toBe(202);
    expect((await jobsOf(service.database)).at(-1)?.title).toBe('\ufffd');
  });
});

describe('bytes that are no UTF-8, over real HTTP', () => {
  let stack: RunningStack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack?.stop());

  it('are refused under a key, and store nothing', async () => {
    const caller = await callerOf(stack, 'alice');
    const bodyWith = (byte: number) =>
      Buffer.concat([
        Buffer.from('{"articleIds":["a"],"format":"text","title":"caf'),
        Buffer.from([byte]),
        Buffer.from('"}'),
      ]);

    for (const byte of [0xe9, 0xe8]) {
      const answer = await caller.send('POST', '/v1/export-jobs', {
        headers: { 'content-type': 'application/json', 'idempotency-key': 'k-latin' },
        body: bodyWith(byte),
      });

      expect([answer.status, answer.body.code]).toEqual([400, 'invalid-json']);
    }
    const after = await caller.send('GET', '/v1/operations/k-latin');
    expect(after.status).toBe(404);
  });
});
