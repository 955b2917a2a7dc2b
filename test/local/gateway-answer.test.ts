import { generateKeyPairSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signToken } from '#local/gateway/jwt.ts';
import { type Call, caller } from '#test/local/gateway-call.ts';
import { type RunningStack, startStack } from '#test/support/stack.ts';

const SERVICE = fileURLToPath(new URL('fixture/serverless.yml', import.meta.url));

describe('the gateway', () => {
  let stack: RunningStack;
  let call: Call;
  let authorization: string;
  beforeAll(async () => {
    stack = await startStack({ args: ['--service', SERVICE] });
    call = caller(stack.url);
    authorization = `Bearer ${await stack.token('alice')}`;
  });
  afterAll(() => stack?.stop());

  describe('answers 401 itself', () => {
    const refused = { status: 401, text: '{"message":"Unauthorized"}' };
    const nowS = Math.floor(Date.now() / 1000);

    it.each([
      ['no token', ''],
      ['no JWT', 'Bearer nonsense'],
      ['another scheme', 'Basic YTpi'],
    ])('to %s', async (_, header) => {
      const headers: Record<string, string> = header ? { authorization: header } : {};

      expect(await call('GET', '/things/one', headers)).toMatchObject(refused);
    });

    it.each([
      ['an expired token', { exp: nowS - 1 }],
      ['a token that is not yet valid', { nbf: nowS + 60 }],
      ['a token issued in the future', { iat: nowS + 60 }],
      ['a token without expiry', { exp: undefined }],
      ['a token of another issuer', { iss: 'https://elsewhere.example' }],
      ['a token for another audience', { aud: 'elsewhere' }],
    ])('to %s', async (_, claims) => {
      const token = await stack.token('alice', { claims });

      const answer = await call('GET', '/things/one', { authorization: `Bearer ${token}` });

      expect(answer).toMatchObject(refused);
    });

    it('to a token signed with another key', async () => {
      const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const token = await signToken(foreign, 'alice');

      const answer = await call('GET', '/things/one', { authorization: `Bearer ${token}` });

      expect(answer).toMatchObject(refused);
    });

    it('to a token whose claims were changed', async () => {
      const [header, , signature] = (await stack.token('alice')).split('.');
      const [, payload] = (await stack.token('bob')).split('.');

      const answer = await call('GET', '/things/one', {
        authorization: `Bearer ${header}.${payload}.${signature}`,
      });

      expect(answer).toMatchObject(refused);
    });

    it('to an unsigned token', async () => {
      const [, payload] = (await stack.token('alice')).split('.');
      const header = Buffer.from('{"alg":"none"}').toString('base64url');

      const answer = await call('GET', '/things/one', {
        authorization: `Bearer ${header}.${payload}.`,
      });

      expect(answer).toMatchObject(refused);
    });
  });

  describe('has limits of its own', () => {
    it('takes a body of 10 MB and refuses one byte more', async () => {
      const limit = 10 * 1024 * 1024;

      const whole = await call('POST', '/open/x', {}, Buffer.alloc(limit));
      const more = await call('POST', '/open/x', {}, Buffer.alloc(limit + 1));

      // Echoed, it is more than a function may answer: it got there.
      expect(whole).toMatchObject({ status: 500 });
      expect(more).toMatchObject({ status: 413, text: '{"message":"Request Entity Too Large"}' });
    });

    it('takes headers of 10,240 bytes and refuses one byte more', async () => {
      const { host } = new URL(stack.url);
      const rest = `GET /open/x HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\nX-Fill: \r\n`;
      const fill = 10_240 - rest.length;

      const whole = await call('GET', '/open/x', { 'X-Fill': 'f'.repeat(fill) });
      const more = await call('GET', '/open/x', { 'X-Fill': 'f'.repeat(fill + 1) });

      expect(whole.status).toBe(200);
      expect(more).toMatchObject({
        status: 431,
        text: '{"message":"Request Header Fields Too Large"}',
      });
    });

    it('refuses a path that does not decode', async () => {
      expect(await call('GET', '/open/%zz')).toMatchObject({ status: 400 });
    });
  });

  describe('answers with', () => {
    it('status, headers, cookies and body of the function, and an ID of its own', async () => {
      const answer = await call('GET', '/things/one', { authorization });

      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'x-echo': 'yes',
        'set-cookie': ['a=1', 'b=2'],
        'apigw-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    });

    it('no body to HEAD', async () => {
      const answer = await call('HEAD', '/things/one', { authorization });

      expect(answer).toMatchObject({ status: 200, text: '' });
      expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
    });

    it.each([
      ['inferred', 200, '{"hello":"world"}', 'application/json'],
      ['text', 201, 'plain', 'text/plain;charset=UTF-8'],
      ['empty', 204, '', 'text/plain;charset=UTF-8'],
      ['nonsense', 500, '{"message":"Internal Server Error"}', 'application/json'],
      ['throws', 500, '{"message":"Internal Server Error"}', 'application/json'],
    ])('what a function means by %s', async (kind, status, text, type) => {
      const answer = await call('GET', `/answer/${kind}`);

      expect(answer).toMatchObject({ status, text, headers: { 'content-type': type } });
    });

    it('bytes for base64', async () => {
      const response = await fetch(`${stack.url}/answer/binary`);

      expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255, 1]));
    });

    it('500 when the function takes longer than it may', async () => {
      expect(await call('GET', '/slow')).toMatchObject({
        status: 500,
        text: '{"message":"Internal Server Error"}',
      });
    });
  });

  it('gives functions their remaining time, their name and their environment', async () => {
    const { text } = await call('GET', '/things/one', { authorization });
    const seen = JSON.parse(text);

    expect(seen.remainingMs).toBeGreaterThan(3_000);
    expect(seen.remainingMs).toBeLessThanOrEqual(5_000);
    expect(seen.functionName).toBe('fixture-local-echo');
    expect(seen.environment).toMatchObject({
      GREETING: 'hello',
      STAGE: 'local',
      TABLE_EXPORT_JOBS: 'ExportJobs',
      EXPORTS_BUCKET: 'exports',
      RUN_JOB_FUNCTION: 'fixture-local-runJob',
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ENDPOINT_URL_DYNAMODB: stack.status().dynamoDbEndpoint,
      AWS_ENDPOINT_URL_S3: stack.status().s3Endpoint,
      AWS_ENDPOINT_URL_LAMBDA: stack.status().lambdaEndpoint,
    });
  });

  it('answers 500 when the process of a function dies, and serves again by another', async () => {
    const before = stack.pids().http;

    const died = await call('GET', '/answer/dies');
    const after = await call('GET', '/answer/text');

    expect(died).toMatchObject({ status: 500, text: '{"message":"Internal Server Error"}' });
    expect(after.status).toBe(201);
    expect(stack.pids().http).not.toBe(before);
  });

  it('fails every request under way when the process is killed', async () => {
    const underWay = call('GET', '/answer/hangs');
    await call('GET', '/answer/text');

    process.kill(stack.pids().http ?? 0, 'SIGKILL');

    expect((await underWay).status).toBe(500);
    expect((await call('GET', '/answer/text')).status).toBe(201);
  });
});
