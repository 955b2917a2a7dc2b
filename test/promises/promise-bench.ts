// What every play of a promise gets: the HTTP functions on the real DynamoDB Local behind a wire proxy, a caller
// and a key of its own, and, for those that ask, the whole stack as processes. Effects are counted in the tables.

import { openStackBench, type StackBench } from '#test/promises/stack-bench.ts';
import { type Database, freshDatabase } from '#test/support/dynamodb.ts';
import {
  type Answered,
  type Asked,
  type Service,
  type ServiceOptions,
  startService,
} from '#test/support/service.ts';
import { jobsOf, type StoredItem } from '#test/support/table-contents.ts';
import { startWireProxy, type WireProxy } from '#test/support/wire-proxy.ts';

export const BODY = { articleIds: ['a-1', 'a-2'], format: 'text' };
export const TEXT = { title: 'A title', markdown: 'Some *text*.' };
export const JSON_TYPE = { 'content-type': 'application/json' };

export type PromiseBench = {
  readonly database: Database;
  readonly proxy: WireProxy;
  /** This play's caller, and a key nobody else uses. */
  readonly subject: string;
  readonly key: string;
  /** This play's caller asks; `by` is another service, under other conditions. */
  readonly call: (route: string, asked?: Asked, by?: Service) => Promise<Answered>;
  readonly create: (asked?: CreateAsked, by?: Service) => Promise<Answered>;
  readonly serviceWith: (options: ServiceOptions) => Promise<Service>;
  /** The jobs that stand in the table under the key. */
  readonly jobsUnder: (key: string) => Promise<readonly StoredItem[]>;
  /** The whole service as processes, with a database of its own; started by the first who asks. */
  readonly stack: () => Promise<StackBench>;
};

/** The bench's key and body, unless others are named. */
export type CreateAsked = Asked & { readonly key?: string };

export type BenchOfAll = {
  readonly benchOf: (number: number) => PromiseBench;
  readonly close: () => Promise<void>;
};

export async function openPromiseBench(): Promise<BenchOfAll> {
  const database = await freshDatabase();
  const proxy = await startWireProxy(database.connection.endpoint);
  const services: Service[] = [];
  const serviceWith: PromiseBench['serviceWith'] = async (options) => {
    const more = await startService({ database, endpoint: proxy.endpoint, ...options });
    services.push(more);
    return more;
  };
  const service = await serviceWith({});
  let started: Promise<StackBench> | undefined;
  return {
    benchOf(number) {
      proxy.clear();
      const subject = `caller-${number}`;
      const key = `intent-${number}`;
      return {
        database,
        proxy,
        subject,
        key,
        serviceWith,
        call: (route, asked = {}, by = service) => by.call(route, { subject, ...asked }),
        create: ({ key: under = key, body = BODY, ...asked } = {}, by = service) =>
          by.create(under, body, { subject, ...asked }),
        jobsUnder: async (under) =>
          (await jobsOf(database)).filter(({ idempotencyKey }) => idempotencyKey === under),
        stack() {
          started ??= openStackBench();
          return started;
        },
      };
    },
    async close() {
      await started?.then((stack) => stack.close());
      for (const each of services) each.close();
      await proxy.close();
    },
  };
}
