// What a create promises: one job for one key, and a key that is used up by nothing else.

import { expect } from 'vitest';
import { BODY, JSON_TYPE } from '#test/promises/promise-bench.ts';
import type { PromiseRow } from '#test/promises/promise-row.ts';
import { itemsOf } from '#test/support/table-contents.ts';

const AT_ONCE = 20;

export const CREATING: readonly PromiseRow[] = [
  {
    situation: 'a new intent',
    answer: '202, `Idempotent-Replayed: false`, and a `Location` that names the job',
    async play({ create, key, jobsUnder }) {
      const made = await create();

      expect(made.headers['idempotent-replayed']).toBe('false');
      expect(made.headers.location).toBe(`/v1/export-jobs/${made.body.id}`);
      expect((await jobsUnder(key)).map(({ jobId }) => jobId)).toEqual([made.body.id]);
      return [made];
    },
  },
  {
    situation: 'the same key with the same parameters, within the window',
    answer: 'the same 202, byte for byte, with `Idempotent-Replayed: true`',
    async play({ create, key, jobsUnder }) {
      const made = await create();

      const replay = await create();

      expect(replay.text).toBe(made.text);
      expect(replay.headers.location).toBe(made.headers.location);
      expect(replay.headers['idempotent-replayed']).toBe('true');
      expect(await jobsUnder(key)).toHaveLength(1);
      return [made, replay];
    },
  },
  {
    situation: 'the same key with other parameters',
    answer: '422 `idempotency-key-reused`: it names the job and the members that differ',
    async play({ create, key, jobsUnder }) {
      const made = await create();

      const changed = await create({ body: { ...BODY, format: 'epub' } });

      expect(changed.body).toMatchObject({
        executed: 'no',
        members: ['format'],
        job: { id: made.body.id },
      });
      expect(await jobsUnder(key)).toHaveLength(1);
      return [changed];
    },
  },
  {
    situation: 'another key with the same parameters',
    answer: '202: another intent, another job',
    async play({ create, key, jobsUnder }) {
      const made = await create();

      const other = await create({ key: `${key}-b` });

      expect(other.body.id).not.toBe(made.body.id);
      expect(await jobsUnder(`${key}-b`)).toHaveLength(1);
      return [made, other];
    },
  },
  {
    situation: 'many attempts under one key at the same time',
    answer: '202 for each: one job, and every attempt is told of it',
    async play({ create, key, jobsUnder }) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => create()));

      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const first = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'false');
      expect(first).toHaveLength(1);
      expect(await jobsUnder(key)).toHaveLength(1);
      return answers;
    },
  },
  {
    situation: 'the same key of another caller',
    answer: '202: another intent, another job',
    async play({ create, key, jobsUnder }) {
      const mine = await create();

      const theirs = await create({ subject: 'somebody-else' });

      expect(theirs.body.id).not.toBe(mine.body.id);
      expect(theirs.headers['idempotent-replayed']).toBe('false');
      expect(await jobsUnder(key)).toHaveLength(2);
      return [mine, theirs];
    },
  },
  {
    situation: 'no key, or a key outside the grammar',
    answer: '400 `idempotency-key-missing`, 400 `idempotency-key-invalid`; no table is touched',
    async play({ call, create, proxy }) {
      const missing = await call('POST /v1/export-jobs', { headers: JSON_TYPE, body: BODY });
      const invalid = await create({ key: 'a b' });

      expect(proxy.count()).toBe(0);
      return [missing, invalid];
    },
  },
  {
    situation: 'parameters that are not valid',
    answer: '400 `validation-failed` with the place of each fault; the key stays free',
    async play({ create, key, jobsUnder }) {
      const refused = await create({ body: { ...BODY, format: 'pdf' } });

      expect(refused.body).toMatchObject({ executed: 'no', errors: [{ pointer: '/format' }] });
      expect(await jobsUnder(key)).toEqual([]);
      const corrected = await create();
      expect(corrected.headers['idempotent-replayed']).toBe('false');
      return [refused];
    },
  },
  {
    situation: 'a second intent for a source batch',
    answer: '409 `source-batch-taken`, for ever: it names the job of the batch',
    async play({ call, create, database, key, jobsUnder }) {
      const body = { ...BODY, sourceBatchId: `batch-of-${key}` };
      const made = await create({ body });
      await call('POST /v1/export-jobs/{jobId}/cancel', { path: { jobId: made.body.id } });

      const second = await create({ key: `${key}-b`, body });

      expect(second.body).toMatchObject({ executed: 'no', job: { id: made.body.id } });
      expect(await jobsUnder(`${key}-b`)).toEqual([]);
      const claims = await itemsOf(database, 'BusinessKeys');
      const [claim] = claims.filter(({ jobId }) => jobId === made.body.id);
      // Nothing in the claim tells DynamoDB to remove it some day.
      expect(Object.keys(claim ?? {}).filter((name) => /purge|expire/i.test(name))).toEqual([]);
      expect(claim).toBeDefined();
      return [second];
    },
  },
];
