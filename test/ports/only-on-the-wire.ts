// What only bytes can show: cases that run on DynamoDB alone, or on S3 alone, beside those that run
// everywhere.
// A simulated store sends nothing, has no shards and reads no status codes, so that it cannot show them.

import { expect } from 'vitest';
import type { DynamoBench } from '#test/ports/dynamo-bench.ts';
import type { S3Bench } from '#test/ports/file-bench.ts';
import { FILE_CASES_ON_THE_WIRE } from '#test/ports/file-cases-on-the-wire.ts';
import type { Cases } from '#test/ports/port-suite.ts';
import {
  after,
  article,
  committedRecord,
  effectOf,
  NOW,
  named,
  newJob,
  READ,
  sending,
  storedJob,
} from '#test/ports/sample-values.ts';
import { canned, replaceReply, stallAfterHeaders } from '#test/support/wire-actions.ts';
import {
  htmlReply,
  internalServerError,
  jsonReply,
  transactionCancelled,
} from '#test/support/wire-replies.ts';
import type { WireRequest } from '#test/support/wire-request.ts';

const TRANSACTION = { target: 'TransactWriteItems' };
/** Answers of status 200 that name no table. */
const NONSENSE: readonly unknown[] = [{}, null, [], 'x', { Item: {} }, { Items: [], Count: 0 }];
/** 1 MB, strongly consistent, in read units of 4 KB, and the job that crosses it. */
const PAGE_UNITS_MAX = 257;

const commitOn = ({ ports }: DynamoBench, record = committedRecord()) =>
  ports.commits.prepare(record, effectOf(record));

const COMMIT: Cases<DynamoBench> = {
  '3. is one request, and one read more when a refusal does not tell': async (on) => {
    const record = committedRecord();
    await commitOn(on, record).send(sending());
    on.faults.bareRefusals();
    const before = on.proxy.requests.length;

    await commitOn(on, committedRecord(record.recordKey)).send(sending());

    expect(on.proxy.requests.slice(before).map(({ target }) => target)).toEqual([
      'TransactWriteItems',
      'GetItem',
    ]);
  },

  '4. carries the same bytes twice': async (on) => {
    const prepared = commitOn(on);
    const options = sending();

    await prepared.send(options);
    await prepared.send(options);

    const [first, second] = on.proxy.requests;
    expect(first?.bodyText).toMatch(/TransactItems/);
    expect(second?.bodyText).toBe(first?.bodyText);
  },

  '6. is unknown by any other answer: an error of the server, a page, a cut, nonsense': async (
    on,
  ) => {
    const answers = [
      canned(internalServerError()),
      canned(htmlReply()),
      stallAfterHeaders(5),
      ...NONSENSE.map((body) => replaceReply(jsonReply(200, body))),
    ];

    for (const answer of answers) {
      const rule = on.proxy.rule(TRANSACTION, answer);
      const sent = await commitOn(on).send(sending({ timeoutMs: 1_000 }));
      expect(rule.fired).toBe(1);
      expect(sent.kind).toBe('unknown');
      rule.remove();
    }
  },

  '6. takes a conflict or a throttle for that, whatever stands beside it': async (on) => {
    const { recordKey, resourceId, committedAtMs } = committedRecord();
    const Item = { pk: { S: 'claim' }, jobId: { S: resourceId }, keyRecordPk: { S: recordKey } };
    const taken = {
      Code: 'ConditionalCheckFailed',
      Item: { ...Item, createdAtMs: { N: `${committedAtMs}` } },
    };
    for (const [code, why] of [
      ['TransactionConflict', 'conflict'],
      ['ThrottlingError', 'throttled'],
    ] as const) {
      const rule = on.proxy.rule(TRANSACTION, canned(transactionCancelled(code, 'None', taken)));
      const record = committedRecord();
      const claiming = on.ports.commits.prepare(record, effectOf(record, 'claim'));

      expect(await claiming.send(sending())).toEqual({ kind: 'not-applied', why });
      expect(rule.fired).toBe(1);
      rule.remove();
    }
  },

  '9. says failed of every 200 that does not name the table': async (on) => {
    for (const body of [...NONSENSE, { ConsumedCapacity: { TableName: 'other' } }]) {
      const rule = on.proxy.rule({ target: 'GetItem' }, canned(jsonReply(200, body)));
      expect(await on.ports.commits.readRecord('nobody', READ)).toEqual({ kind: 'failed' });
      rule.remove();
    }
  },
};

const JOB_READS: Cases<DynamoBench> = {
  '3. reads 1 MB at most of jobs as large as they come, and says where it ended': async (on) => {
    const owner = named('owner');
    // With 1,000 of them above 1 MB, each below 2 KB.
    const large = { owner, title: '𝒳'.repeat(200), sourceBatchId: 'c'.repeat(255) };
    for (let n = 0; n < 1_000; n += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          storedJob(on, { ...large, createdAtMs: after(n + at) }),
        ),
      );
    }
    const before = on.proxy.requests.length;

    const filtered = { limit: 1_000, idempotencyKey: 'nobody' };
    const read = await on.ports.jobs.listJobs(owner, filtered, READ);
    const whole = await on.ports.jobs.listJobs(owner, { limit: 1_000 }, READ);

    const units = on.proxy.requests.slice(before).map(({ capacityUnits = 0 }) => capacityUnits);
    expect(read).toMatchObject({ value: { jobs: [], nextAfterJobId: expect.any(String) } });
    expect(whole).toMatchObject({ value: { nextAfterJobId: expect.any(String) } });
    expect(Math.max(...units)).toBeLessThanOrEqual(PAGE_UNITS_MAX);
  },
};

/** The nth query alone proves nothing, whichever shard it asks. */
const oneShardFails = (on: DynamoBench, nth: number) =>
  on.proxy.rule({ target: 'Query', nth }, canned(jsonReply(200, {})));
const SHARDS = [1, 2, 3, 4];

const SWEEP: Cases<DynamoBench> = {
  '4. fails when one shard alone is not known': async (on) => {
    await storedJob(on);
    for (const nth of SHARDS) {
      const rule = oneShardFails(on, nth);
      const query = { nowMs: after(86_400_000), limit: 10 };

      expect(await on.ports.sweep.listDueJobs(query, READ)).toEqual({ kind: 'failed' });
      expect(rule.fired).toBe(1);
      rule.remove();
    }
  },
};

const BACKLOG: Cases<DynamoBench> = {
  '3. fails when one shard alone is not known, whatever the others tell': async (on) => {
    for (const dueAtMs of [NOW, after(1), after(2), after(3)]) {
      await on.owe({ jobId: newJob().jobId, dueAtMs });
    }
    for (const nth of SHARDS) {
      const rule = oneShardFails(on, nth);

      expect(await on.ports.backlog.oldestDueNotification(after(9), READ)).toEqual({
        kind: 'failed',
      });
      expect(rule.fired).toBe(1);
      rule.remove();
    }
  },
};

const ARTICLES: Cases<DynamoBench> = {
  '8. carries no text on the wire of a list': async (on) => {
    const { articles } = on.ports;
    const text = 'a text that no list needs';
    const stored = article(text);
    await articles.putArticle(stored, { kind: 'none' }, sending());

    await articles.listArticles(stored.owner, { limit: 10 }, READ);

    const answer = (target: string) =>
      JSON.stringify(on.proxy.requests.find((request: WireRequest) => request.target === target));
    expect(answer('PutItem')).toContain(text);
    expect(answer('Query')).not.toContain(text);
  },
};

/** By the port's type: the only cases that do not run on every adapter. */
export const ONLY_ON_THE_WIRE: Readonly<Record<string, Cases<DynamoBench>>> = {
  CommitPort: COMMIT,
  JobReadPort: JOB_READS,
  ArticlePort: ARTICLES,
  SweepPort: SWEEP,
  BacklogPort: BACKLOG,
};

/** Likewise, of files. */
export const FILES_ONLY_ON_THE_WIRE: Readonly<Record<string, Cases<S3Bench>>> = {
  FilePort: FILE_CASES_ON_THE_WIRE,
};
