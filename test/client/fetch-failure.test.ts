// Which failures of fetch prove that a request was not sent: real ones on loopback, and the codes.

import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { clientIn } from '#client/client.ts';
import { fetchFailure } from '#client/fetch-failure.ts';
import { retryBudget } from '#client/retry-budget.ts';
import { realWorld } from '#client/world.ts';
import { selfSigned } from '#test/client/self-signed.ts';

const servers: net.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function urlOf(server: net.Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const failureAt = (url: string) =>
  clientIn({ ...realWorld, random: () => 0 }, { url, token: 't', retryBudget: retryBudget() })
    .createExportJob({ articleIds: ['a'], format: 'text' })
    .catch((error) => error);

describe('a TLS connection', () => {
  it('to a certificate that is not trusted sends nothing, and is not tried again', async () => {
    let requests = 0;
    const url = await urlOf(
      https.createServer(selfSigned('127.0.0.1'), (_, response) => {
        requests += 1;
        response.end();
      }),
    );

    const error = await failureAt(url);

    expect(error).toMatchObject({ name: 'NoAnswerError', outcome: 'not-executed' });
    expect(error.attempts).toMatchObject([{ failure: 'tls', executed: 'no' }]);
    expect(requests).toBe(0);
  });

  it('that breaks in its handshake sends nothing, and is tried again', async () => {
    const url = await urlOf(net.createServer((socket) => socket.once('data', () => socket.end())));

    const error = await failureAt(url);

    expect(error.outcome).toBe('not-executed');
    expect(error.attempts).toHaveLength(5);
    expect(error.attempts[0]).toMatchObject({ failure: 'unreachable', executed: 'no' });
  });
});

describe('a failure of fetch', () => {
  const failed = (cause: object) => new TypeError('fetch failed', { cause });
  const refused = { code: 'ECONNREFUSED', syscall: 'connect' };

  it.each([
    ['refused', failed(refused), { kind: 'unsent', why: 'refused' }],
    [
      'refused at each address',
      failed({ errors: [refused, refused] }),
      { kind: 'unsent', why: 'refused' },
    ],
    ['a name that is not found', failed({ code: 'ENOTFOUND' }), { kind: 'unsent', why: 'dns' }],
    ['a certificate', failed({ code: 'CERT_HAS_EXPIRED' }), { kind: 'unsent', why: 'tls' }],
    [
      'no route while connecting',
      failed({ code: 'EHOSTUNREACH', syscall: 'connect' }),
      { kind: 'unsent', why: 'unreachable' },
    ],
    [
      'no time while connecting',
      failed({ code: 'UND_ERR_CONNECT_TIMEOUT' }),
      { kind: 'unsent', why: 'connect-timeout' },
    ],
  ])('(%s) proves that nothing was sent', (_, error, expected) => {
    expect(fetchFailure(error)).toEqual(expected);
  });

  it.each([
    ['reset', failed({ code: 'ECONNRESET', syscall: 'read' }), 'reset'],
    ['closed', failed({ code: 'UND_ERR_SOCKET' }), 'reset'],
    ['no route while reading', failed({ code: 'EHOSTUNREACH', syscall: 'read' }), 'network'],
    [
      'refused at one address, reset at another',
      failed({ errors: [refused, { code: 'ECONNRESET' }] }),
      'reset',
    ],
    ['no time for the headers', failed({ code: 'UND_ERR_HEADERS_TIMEOUT' }), 'network'],
    ['a TLS record', failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'network'],
    ['garbage', failed({ name: 'HTTPParserError' }), 'network'],
    ['a browser, which tells nothing', new TypeError('Failed to fetch'), 'network'],
    ['nothing', undefined, 'network'],
    ['the name of a member of every object', failed({ code: 'toString' }), 'network'],
  ])('(%s) proves nothing', (_, error, why) => {
    expect(fetchFailure(error)).toEqual({ kind: 'lost', why });
  });
});
