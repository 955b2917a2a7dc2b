// A record of the Streams API as Lambda shows it to a function: plain JSON, binary as base64, times
// in seconds. A TTL deletion comes from DynamoDB Local without a name the SDK knows: it is told as
// the REMOVE by DynamoDB itself that it is on AWS.

import type { _Record as SdkRecord } from '@aws-sdk/client-dynamodb-streams';
import type { StreamRecord } from '#local/stream/batch.ts';

export function toStreamRecord(record: SdkRecord, streamArn: string): StreamRecord {
  const change = record.dynamodb ?? {};
  const createdAtMs = change.ApproximateCreationDateTime?.getTime() ?? Date.now();
  const known = ['INSERT', 'MODIFY', 'REMOVE'].includes(record.eventName ?? '');
  const byTtl = !known && change.OldImage !== undefined && change.NewImage === undefined;
  const event = {
    eventID: record.eventID,
    eventName: byTtl ? 'REMOVE' : record.eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: record.awsRegion,
    dynamodb: { ...change, ApproximateCreationDateTime: Math.floor(createdAtMs / 1000) },
    ...(byTtl && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
    eventSourceARN: streamArn,
  };
  return {
    sequenceNumber: change.SequenceNumber ?? '',
    createdAtMs,
    event: JSON.parse(JSON.stringify(event, binaryAsBase64)),
  };
}

function binaryAsBase64(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
