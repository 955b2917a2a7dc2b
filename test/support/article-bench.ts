// What tests of articles share: the service behind a wire proxy, an article ID of its own for each test.
// Imported by a test file, it sets itself up for that file.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Answered, type Asked, type Service, startService } from '#test/support/service.ts';
import { itemsOf } from '#test/support/table-contents.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

export const ROUTE = '/v1/articles/{articleId}';
export const TEXT = { title: 'Once', markdown: '# Once\n\nNever twice.' };
export const MARKDOWN_BYTES_MAX = 307_200;

export let service: Service;
export let proxy: WireProxy;
let number = 0;
export let id = '';

beforeAll(async () => {
  const { database, close } = await startService();
  close();
  proxy = await startWireProxy(database.connection.endpoint);
  service = await startService({
    database,
    endpoint: proxy.endpoint,
    environment: { STORE_BACKOFF_BASE_MS: '1', STORE_BACKOFF_CAP_MS: '2' },
  });
});
afterAll(async () => {
  service.close();
  await proxy.close();
});
beforeEach(() => {
  proxy.clear();
  number += 1;
  id = `article-${number}`;
});

/** Another article than the test's own, from here on. */
export const nameArticle = (articleId: string) => {
  id = articleId;
};
export const ask = (method: string, headers: Asked['headers'] = {}, more: Asked = {}) =>
  service.call(`${method} ${ROUTE}`, { path: { articleId: id }, headers, ...more });
export const put = (body: unknown = TEXT, headers: Asked['headers'] = {}, more: Asked = {}) =>
  ask('PUT', { 'content-type': 'application/json', ...headers }, { ...more, body });
export const stored = async (): Promise<string | undefined> => {
  const items = await itemsOf(service.database, 'Articles');
  return items.find(({ articleId }) => articleId === id)?.markdown;
};
export const etagOf = ({ headers }: Answered) => headers.etag ?? '';
