import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, caller } from '#test/local/gateway-call.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';

const SERVICE = fileURLToPath(new URL('fixture/serverless.yml', import.meta.url));

describe('the event of the gateway', () => {
  let stack: RunningStack;
  let call: Call;
  let authorization: string;
  beforeAll(async () => {
    stack = await startStack({ args: ['--service', SERVICE] });
    call = caller(stack.url);
    authorization = `Bearer ${await stack.token('alice')}`;
  });
  afterAll(() => stack?.stop());

  describe('hands over an event that', () => {
    it('has the shape of payload format 2.0', async () => {
      const sentAtMs = Date.now();

      const { event, headers } = await call('GET', '/things/one?x=1', {
        authorization,
        'user-agent': 'test',
      });

      expect(event).toEqual({
        version: '2.0',
        routeKey: 'GET /things/{thingId}',
        rawPath: '/things/one',
        rawQueryString: 'x=1',
        headers: {
          authorization,
          connection: undefined,
          host: new URL(stack.url).host,
          'user-agent': 'test',
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-port': new URL(stack.url).port,
          'x-forwarded-proto': 'http',
        },
        queryStringParameters: { x: '1' },
        pathParameters: { thingId: 'one' },
        requestContext: {
          accountId: '000000000000',
          apiId: 'local',
          authorizer: { jwt: { claims: expect.objectContaining({ sub: 'alice' }), scopes: null } },
          domainName: '127.0.0.1',
          domainPrefix: '127',
          http: {
            method: 'GET',
            path: '/things/one',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'test',
          },
          requestId: headers['apigw-requestid'],
          routeKey: 'GET /things/{thingId}',
          stage: '$default',
          time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
          timeEpoch: expect.any(Number),
        },
        isBase64Encoded: false,
      });
      expect(event.requestContext.timeEpoch).toBeGreaterThanOrEqual(sentAtMs);
      expect(event.requestContext.timeEpoch).toBeLessThanOrEqual(Date.now());
    });

    it('joins doubled header lines with a comma, whatever their case', async () => {
      const { event } = await call('GET', '/things/one', {
        authorization,
        'Idempotency-Key': ['one', 'two'],
      });

      expect(event.headers['idempotency-key']).toBe('one,two');
    });

    it('has cookies apart', async () => {
      const { event } = await call('GET', '/things/one', { authorization, cookie: 'a=1; b=2' });

      expect(event.cookies).toEqual(['a=1', 'b=2']);
      expect(event.headers).not.toHaveProperty('cookie');
    });

    it.each([
      ['/things/a%20b', '/things/a b', 'a b'],
      ['/things/a%2Fb', '/things/a/b', 'a/b'],
      ['/things/%C3%A4', '/things/ä', 'ä'],
      ['/things/a+b', '/things/a+b', 'a+b'],
      ['/things/..', '/things/..', '..'],
    ])('decodes the path %s', async (path, rawPath, thingId) => {
      const { event } = await call('GET', path, { authorization });

      expect(event).toMatchObject({ rawPath, pathParameters: { thingId } });
    });

    it('joins repeated query parameters and keeps the raw query', async () => {
      const { event } = await call('GET', '/things/one?x=1&x=a%20b&y=', { authorization });

      expect(event.rawQueryString).toBe('x=1&x=a%20b&y=');
      expect(event.queryStringParameters).toEqual({ x: '1,a b', y: '' });
    });

    it.each([
      ['application/json', false],
      ['application/json; charset=utf-8', false],
      ['application/problem+json', false],
      ['application/xml', false],
      ['application/javascript', false],
      ['text/markdown', false],
      ['application/octet-stream', true],
      ['application/x-www-form-urlencoded', true],
      ['application/jsonp', true],
      [undefined, true],
    ])('has a body of type %s in base64: %s', async (type, isBase64Encoded) => {
      const headers = { authorization, ...(type && { 'content-type': type }) };

      const { event } = await call('POST', '/echo', headers, '{"ä":1}');

      expect(event.isBase64Encoded).toBe(isBase64Encoded);
      expect(Buffer.from(event.body, isBase64Encoded ? 'base64' : 'utf8').toString()).toBe(
        '{"ä":1}',
      );
    });

    it('has no body when there is none', async () => {
      const { event } = await call('POST', '/echo', {
        authorization,
        'content-type': 'application/octet-stream',
      });

      expect(event).not.toHaveProperty('body');
      expect(event.isBase64Encoded).toBe(false);
    });

    it('has every claim as a string', async () => {
      const claims = { groups: ['a', 'b'], admin: true, level: 3 };
      const token = await stack.token('alice', { claims });

      const { event } = await call('GET', '/things/one', { authorization: `Bearer ${token}` });

      expect(event.requestContext.authorizer.jwt.claims).toMatchObject({
        sub: 'alice',
        groups: '[a b]',
        admin: 'true',
        level: '3',
        exp: expect.stringMatching(/^\d+$/),
      });
    });

    it('names nobody on a public route, whatever token is sent', async () => {
      const { event } = await call('GET', '/open/a/b', { authorization });

      expect(event.requestContext).not.toHaveProperty('authorizer');
      expect(event.pathParameters).toEqual({ rest: 'a/b' });
    });
  });

  describe('sends to $default', () => {
    it.each([
      ['GET', '/nothing'],
      ['DELETE', '/things/one'],
      ['GET', '/things/one/'],
      ['GET', '/things/'],
      ['GET', '/'],
    ])('%s %s', async (method, path) => {
      const { event } = await call(method, path, { authorization });

      expect(event.routeKey).toBe('$default');
      expect(event).not.toHaveProperty('pathParameters');
    });
  });
});
