import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { JobName } from '#export-jobs/job.ts';
import { testLog } from '#test/support/test-log.ts';
import { handOverJobsHandler } from '#worker/hand-over-jobs.ts';

const record = (jobId: string, extra: object = {}): DynamoDBRecord => ({
  eventID: jobId,
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: `seq-${jobId}`,
    Keys: { owner: { S: 'owner' }, jobId: { S: jobId } },
    NewImage: { status: { S: 'queued' } },
  },
  ...extra,
});
const eventOf = (...Records: DynamoDBRecord[]): DynamoDBStreamEvent => ({ Records });

function handOverUnless(...poisoned: string[]) {
  const handed: string[] = [];
  const handler = handOverJobsHandler(async ({ jobId }: JobName) => {
    if (poisoned.includes(jobId)) throw new Error('cannot be handed over');
    handed.push(jobId);
  }, testLog);
  return { handler, handed };
}

describe('the stream function', () => {
  it('hands over each new job and reports no failure', async () => {
    const { handler, handed } = handOverUnless();

    expect(await handler(eventOf(record('1'), record('2')))).toEqual({ batchItemFailures: [] });
    expect(handed).toEqual(['1', '2']);
  });

  it('passes by what is no new job: changes, removals, requests of large jobs, TTL', async () => {
    const { handler, handed } = handOverUnless();
    const image = record('x').dynamodb;
    const event = eventOf(
      record('modified', { eventName: 'MODIFY' }),
      record('removed', { eventName: 'REMOVE', dynamodb: { ...image, NewImage: undefined } }),
      record('request', { dynamodb: { ...image, NewImage: { articleIds: { L: [] } } } }),
      record('running', { dynamodb: { ...image, NewImage: { status: { S: 'running' } } } }),
      record('new'),
    );

    expect(await handler(event)).toEqual({ batchItemFailures: [] });
    expect(handed).toEqual(['new']);
  });

  it('reports the lowest failure, so that all from there on come again; the others are handed over', async () => {
    const { handler, handed } = handOverUnless('2', '4');

    const result = await handler(eventOf(record('1'), record('2'), record('3'), record('4')));

    expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: 'seq-2' }] });
    expect(handed).toEqual(['1', '3']);
  });

  it('fails the whole batch when the failed record has no number to report', async () => {
    const { handler } = handOverUnless('1');
    const { SequenceNumber: _, ...dynamodb } = record('1').dynamodb ?? {};

    await expect(handler(eventOf(record('1', { dynamodb })))).rejects.toThrow('sequence number');
  });

  it('answers an empty batch', async () => {
    expect(await handOverUnless().handler(eventOf())).toEqual({ batchItemFailures: [] });
  });
});
