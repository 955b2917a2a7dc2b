// Random events for the HTTP functions: sound ones, changed in up to four places, and some that are no
// events at all. Each from a seed, so that a fault can be played again.

import { DEFAULT_ROUTE, OPERATIONS, ROUTES } from '#contract/routes.ts';
import { gatewayEvent } from '#test/support/service.ts';

export type Random = {
  /** Whole, from 0 to below `bound`. */
  readonly below: (bound: number) => number;
  readonly one: <T>(from: readonly T[]) => T;
};

/** mulberry32: small, fast, and the same everywhere. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { below, one: (from) => from[below(from.length)] as (typeof from)[number] };
}

const UUID_V7 = [
  '019a4f5e-8c00-7d3a-9b1c-2f6f1c0e7a11',
  '019AD000-0000-7000-8000-000000000000',
  'ffffffff-ffff-7fff-bfff-ffffffffffff',
  '00000000-0000-7000-8000-000000000000',
];
const TEXTS = [
  '',
  ' ',
  '.',
  '..',
  'a',
  'k'.repeat(255),
  'k'.repeat(256),
  'a b',
  'a,b',
  '"k"',
  '"',
  "'",
  '*',
  'W/"x"',
  '"x", W/"y"',
  '\0',
  '\r\nx: y',
  '\u001b[31m',
  '\u2028',
  '\ud800',
  'ä',
  '键',
  '💩',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  '%2e%2e',
  '../../etc/passwd',
  '$' + '{jndi:x}',
  '<script>',
  "' OR 1=1 --",
  'eyJhbGciOiJub25lIn0.e30.',
  'x'.repeat(5_000),
  ...UUID_V7,
];
const VALUES: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.MAX_SAFE_INTEGER,
  [],
  ['a', 'b'],
  {},
  { a: { b: 1 } },
  JSON.parse('{"__proto__":{"x":1}}'),
];
const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/json,a',
  ],
  'content-encoding': ['gzip', 'identity', ''],
  'idempotency-key': ['k', '"k"', 'a,b', ...UUID_V7],
  'x-request-id': ['id-1', 'a b', 'x'.repeat(129)],
  'x-request-attempt': ['1', '2', '-1', '999999999'],
  'x-request-timeout-ms': ['1', '30000', '30001', '0', '1.5', '1,1'],
  'x-request-deadline': [
    '2020-01-01T00:00:00Z',
    '2099-01-01T00:00:00+01:00',
    '2099-13-01T00:00:00Z',
    'now',
  ],
  prefer: ['wait=1', 'wait=20', 'wait=0', 'wait=99999', 'wait="5"', 'return=minimal, wait=3'],
  'if-match': ['*', '"x"', 'W/"x"', '"x",'.repeat(200)],
  'if-none-match': ['*', '"x"', 'W/"x"'],
  accept: ['application/json', 'text/html', '*/*;q=0', 'application/json;q=0'],
  'accept-encoding': ['gzip', 'br', 'gzip;q=0'],
  origin: ['https://app.example', 'null', 'https://evil.example'],
};
const BODIES: readonly string[] = [
  '{"articleIds":["a-1"],"format":"text"}',
  '{"articleIds":["a-1","a-2"],"format":"epub","title":"T","language":"de","sourceBatchId":"b"}',
  '{"articleIds":[],"format":"text"}',
  '{"articleIds":["a"],"format":"text","__proto__":{"x":1}}',
  '{"articleIds":["a"],"format":"text","title":"\\ud800"}',
  '{"title":"T","markdown":"# x"}',
  '{"title":"T","markdown":"x","language":"not a tag"}',
  `{"title":"T","markdown":${JSON.stringify('字'.repeat(2_000))}}`,
  'null',
  '[]',
  '""',
  '1e999',
  '{',
  '',
  '\uFEFF{}',
  '['.repeat(3_000),
  `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
];
const LARGE_BODIES: readonly string[] = ['x'.repeat(102_401), 'x'.repeat(1_851_393)];
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '100', '101', '0', '1,2'],
  cursor: ['', 'abc', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  status: ['queued', 'done'],
  sourceBatchId: ['b', 'a b'],
  idempotencyKey: ['k', '.'],
  __proto__: ['x'],
};

const PATHS: readonly string[] = OPERATIONS.map((operation) => ROUTES[operation].path);

/** Of one route; the clock of the gateway is `atMs`, mostly. */
export function randomEvent(route: string, atMs: number, random: Random): unknown {
  if (random.below(50) === 0) return random.one([...VALUES, ...TEXTS]);
  const event = soundEvent(route, atMs, random) as Record<string, never>;
  for (let changes = random.below(5); changes > 0; changes -= 1) change(event, random);
  return event;
}

function soundEvent(route: string, atMs: number, random: Random): object {
  const names = [...route.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);
  const ids = ['a-1', 'k', 'file-gone', 'page.css', ...UUID_V7];
  const wantsBody = route.startsWith('PUT') || route === 'POST /v1/export-jobs';
  const create = [0, 0, 0, 1, 1];
  const put = [5, 5, 7];
  return gatewayEvent(
    route,
    {
      subject: random.one(['alice', 'bob']),
      path: Object.fromEntries(names.map((name) => [name, random.one(ids)])),
      headers: {
        'content-type': 'application/json',
        'idempotency-key': random.one(['k', 'other', ...UUID_V7]),
      },
      ...(route === DEFAULT_ROUTE && {
        rawPath: random.one(PATHS).replace(/\{\w+\}/g, () => random.one(ids)),
        method: random.one(['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'BREW']),
      }),
      ...(wantsBody && { body: BODIES[random.one(route.startsWith('PUT') ? put : create)] }),
    },
    atMs,
  );
}

type Tree = Record<string, unknown>;

/** One place of the event becomes something else. */
function change(event: Tree, random: Random): void {
  const given = event.requestContext;
  const context = (typeof given === 'object' && given !== null ? given : {}) as Tree;
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const name = random.one(Object.keys(HEADER_VALUES));
      const value = random.below(3) > 0 ? random.one(HEADER_VALUES[name] ?? []) : random.one(TEXTS);
      set(event, 'headers', random.below(20) === 0 ? name.toUpperCase() : name, value);
      return;
    }
    case 4:
    case 5:
      event.body =
        random.below(50) === 0 ? random.one(LARGE_BODIES) : random.one([...BODIES, ...TEXTS]);
      event.isBase64Encoded = random.below(6) === 0;
      return;
    case 6:
      set(
        event,
        'pathParameters',
        random.one(['key', 'jobId', 'articleId', 'code', 'asset']),
        random.one([...TEXTS, ...VALUES]),
      );
      return;
    case 7: {
      const name = random.one(Object.keys(QUERIES));
      set(event, 'queryStringParameters', name, random.one([...(QUERIES[name] ?? []), ...TEXTS]));
      return;
    }
    case 8:
      context.timeEpoch = random.one([
        ...VALUES,
        '1',
        Number(context.timeEpoch) - 61_000,
        Number(context.timeEpoch) + 59_000,
      ]);
      return;
    case 9:
      context.authorizer = random.one([
        ...VALUES,
        { jwt: null },
        { jwt: { claims: random.one(VALUES) } },
        { jwt: { claims: { iss: random.one(TEXTS), sub: random.one(TEXTS) } } },
      ]);
      return;
    case 10:
      context.requestId = random.one([...TEXTS, ...VALUES]);
      context.http = random.one([...VALUES, { method: random.one(['HEAD', 'GET', 'BREW', 1]) }]);
      return;
    default:
      // A copy: a later change must not reach into what other events are made of.
      event[random.one(PLACES)] = structuredClone(random.one([...VALUES, ...TEXTS]));
  }
}

const PLACES = [
  'version',
  'headers',
  'pathParameters',
  'queryStringParameters',
  'requestContext',
  'body',
  'isBase64Encoded',
  'rawPath',
  'cookies',
];

function set(event: Tree, place: string, name: string, value: unknown): void {
  const there = event[place];
  event[place] = { ...(typeof there === 'object' && there !== null ? there : {}), [name]: value };
}
