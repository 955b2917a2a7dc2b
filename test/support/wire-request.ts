// What the wire proxy writes down of one request to DynamoDB: what was asked, in which bytes, and
// what came of it. Plain data, so that a test can say exactly what went over the wire.

export interface WireRequest {
  /** Counted from 1 in order of arrival, over all services. */
  readonly index: number;
  readonly service: 'DynamoDB' | 'DynamoDBStreams' | 'other';
  /** `TransactWriteItems`, `GetItem`, … */
  readonly target: string;
  readonly tables: readonly string[];
  /** ClientRequestToken, when there is one. */
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The very bytes, to compare resends. */
  readonly bodyText: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it by name; a schema would hide what was sent
  readonly body: any;
  /** How many times DynamoDB got it: 0 when dropped or still held. */
  readonly forwarded: number;
  /** DynamoDB's own answer, also when the caller never got it or got another one. */
  readonly status: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: as for body
  readonly response: any;
  /** Sum of CapacityUnits, when the request asked for ReturnConsumedCapacity. */
  readonly capacityUnits: number | undefined;
  /** The connection ended before a whole answer was sent, whoever ended it. */
  readonly unanswered: boolean;
}

export type RecordedRequest = { -readonly [K in keyof WireRequest]: WireRequest[K] };

export function parseWireRequest(
  index: number,
  headers: WireRequest['headers'],
  bodyText: string,
): RecordedRequest {
  const [api = '', target = ''] = String(headers['x-amz-target'] ?? '').split('.');
  const body = parseJson(bodyText);
  return {
    index,
    service: api.startsWith('DynamoDBStreams')
      ? 'DynamoDBStreams'
      : api.startsWith('DynamoDB')
        ? 'DynamoDB'
        : 'other',
    target,
    tables: tablesOf(body),
    token: body?.ClientRequestToken,
    headers,
    bodyText,
    body,
    forwarded: 0,
    status: undefined,
    response: undefined,
    capacityUnits: undefined,
    unanswered: false,
  };
}

export function parseJson(text: string): WireRequest['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function capacityOf(response: WireRequest['response']): number | undefined {
  const consumed = response?.ConsumedCapacity;
  if (consumed === undefined) return undefined;
  return [consumed].flat().reduce((sum, each) => sum + (each?.CapacityUnits ?? 0), 0);
}

function tablesOf(body: WireRequest['body']): readonly string[] {
  if (body === undefined) return [];
  const names: unknown[] = [body.TableName, ...Object.keys(body.RequestItems ?? {})];
  for (const action of body.TransactItems ?? []) {
    for (const part of Object.values<{ TableName?: string }>(action)) names.push(part.TableName);
  }
  return [...new Set(names.filter((name): name is string => typeof name === 'string'))];
}
