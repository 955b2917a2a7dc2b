import { describe, expect, it } from 'vitest';
import { passesFilter } from '#local/stream/event-filter.ts';

const record = {
  eventName: 'INSERT',
  dynamodb: { NewImage: { status: { S: 'queued' } } },
};

describe('an event filter', () => {
  it('lets everything pass when there is no pattern', () => {
    expect(passesFilter(record, [])).toBe(true);
  });

  it.each([
    [{ eventName: ['INSERT'] }, true],
    [{ eventName: ['MODIFY'] }, false],
    [{ eventName: ['MODIFY', 'INSERT'] }, true],
    [{ eventName: ['INSERT'], dynamodb: { NewImage: { status: { S: ['queued'] } } } }, true],
    [{ eventName: ['INSERT'], dynamodb: { NewImage: { status: { S: ['running'] } } } }, false],
    [{ dynamodb: { OldImage: { status: { S: ['queued'] } } } }, false],
    [{ dynamodb: { OldImage: [{ exists: false }] } }, true],
    [{ eventName: [{ prefix: 'INS' }] }, true],
    [{ eventName: [{ 'anything-but': ['REMOVE'] }] }, true],
    [{ eventName: [{ 'anything-but': ['INSERT'] }] }, false],
  ])('%j lets the record pass: %s', (pattern, expected) => {
    expect(passesFilter(record, [pattern])).toBe(expected);
  });

  it('lets pass what any of several patterns matches', () => {
    expect(passesFilter(record, [{ eventName: ['MODIFY'] }, { eventName: ['INSERT'] }])).toBe(true);
  });

  it('refuses an operator it does not know', () => {
    const pattern = { eventName: [{ numeric: ['>', 1] }] } as never;

    expect(() => passesFilter(record, [pattern])).toThrow('is not known to the local stack');
  });
});
