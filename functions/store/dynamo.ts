// The one file that talks to DynamoDB. A store says tables, keys and conditions in plain values; here they
// become commands, each sent once, within its time, with the guard in front of the socket; and what comes
// back is told as what it proves.
// Must never: retry, or take an answer for absence or for success that does not name the table asked.

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  type ServiceInputTypes as In,
  type ServiceOutputTypes as Out,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import {
  mapFound,
  type NotApplied,
  type ReadOptions,
  type ReadResult,
  type SendOptions,
  type Unknown,
} from '#idempotency/commit-port.ts';
import { classifyError, NotSentError, type RawReason } from '#store/classify-answer.ts';
import {
  actionInput,
  deleteInput,
  type Expression,
  getInput,
  type Put,
  putInput,
  type Query,
  queryInput,
  type Scan,
  scanInput,
  type TransactAction,
  type Update,
  updateInput,
  type View,
} from '#store/dynamo-input.ts';
import { provesWrite, readGet, readPage, readWritten } from '#store/dynamo-output.ts';
import { type Item, MARSHALL_OPTIONS } from '#store/item.ts';
import { type TimeLimit as Limit, withTimeLimit } from '#store/time-limit.ts';

export type WriteOptions = Pick<SendOptions, 'timeoutMs' | 'maySend'>;
export type Page<T> = {
  readonly items: readonly T[];
  readonly lastKey?: Item;
  /** Read units that it took. */
  readonly units: number;
};

/** What a single write came to; `standing` is what the condition failed on: `none` is proven. */
export type WriteAnswer<T> =
  | { readonly kind: 'applied'; readonly item?: T }
  | { readonly kind: 'condition-failed'; readonly standing: ReadResult<T> }
  | NotApplied
  | Unknown;

/** Why one action did not go through, by position. */
export type Reason =
  | { readonly code: 'None' | 'Conflict' | 'Throttled' | 'Refused' }
  | { readonly code: 'ConditionFailed'; readonly standing: ReadResult<Item> };
export type TransactAnswer =
  | { readonly kind: 'applied' }
  | { readonly kind: 'cancelled'; readonly reasons: readonly Reason[] }
  | NotApplied
  | Unknown;

export type Dynamo = {
  readonly get: <T>(view: View<T>, key: Item, options: ReadOptions) => Promise<ReadResult<T>>;
  /** One page, at most 1 MB read. */
  readonly query: <T>(view: View<T>, query: Query, o: ReadTime) => Promise<ReadResult<Page<T>>>;
  readonly scan: <T>(view: View<T>, scan: Scan, o: ReadTime) => Promise<ReadResult<Page<T>>>;
  readonly put: <T>(view: View<T>, put: Put, options: WriteOptions) => Promise<WriteAnswer<T>>;
  readonly update: <T>(view: View<T>, update: Update, o: WriteOptions) => Promise<WriteAnswer<T>>;
  readonly remove: <T>(view: View<T>, gone: Removal, o: WriteOptions) => Promise<WriteAnswer<T>>;
  readonly transact: (
    actions: readonly TransactAction[],
    options: WriteOptions & Pick<SendOptions, 'token'>,
  ) => Promise<TransactAnswer>;
};
export type Removal = Expression & { readonly key: Item };
type ReadTime = Pick<ReadOptions, 'timeoutMs'>;

export function createDynamo(client: DynamoDBClient): Dynamo {
  // A copy: the document client writes its own defaults into what it is given.
  const marshallOptions = { ...MARSHALL_OPTIONS };
  const document = DynamoDBDocumentClient.from(client, { marshallOptions });
  type Command<I extends In, O extends Out> = Parameters<typeof document.send<I, O>>[0];

  /** One command, one request. @throws whatever the SDK throws, or its AbortError at the time limit */
  async function send<I extends In, O extends Out>(
    command: Command<I, O>,
    limit: Limit,
  ): Promise<unknown> {
    return document.send(command, limit);
  }

  /** @returns undefined when nothing came back: a read that failed says nothing, whoever asked decides */
  async function ask<I extends In, O extends Out>(
    command: Command<I, O>,
    limit: Limit,
  ): Promise<unknown> {
    try {
      return await send(command, limit);
    } catch {
      return undefined;
    }
  }

  async function getRaw<T>(view: View<T>, key: Item, o: { consistent: boolean } & Limit) {
    const output = await ask(new GetCommand(getInput(view, key, o.consistent)), o);
    return readGet(output, { table: view.table, key, consistent: o.consistent });
  }

  async function page<T, I extends In, O extends Out>(
    view: View<T>,
    command: Command<I, O>,
    timeoutMs: number,
  ) {
    const output = await withTimeLimit(timeoutMs, (limit) => ask(command, limit));
    return mapFound(readPage(output, view.table), (raw) => ({
      ...raw,
      items: raw.items.map(view.read),
    }));
  }

  /** A refusal that comes without what stands there is settled by one consistent read. */
  async function standing(
    { item }: { readonly item?: Item },
    { view, key }: { readonly view: View<unknown>; readonly key: Item },
    limit: Limit,
  ): Promise<ReadResult<Item>> {
    if (item) return { kind: 'found', value: item };
    return getRaw(view, key, { consistent: true, ...limit });
  }

  async function write<T, I extends In, O extends Out>(
    { view, key, command }: { view: View<T>; key: Item; command: Command<I, O> },
    { timeoutMs, maySend }: WriteOptions,
  ): Promise<WriteAnswer<T>> {
    guard(command, maySend);
    return withTimeLimit(timeoutMs, async (limit) => {
      try {
        return readWritten(await send(command, limit), view);
      } catch (error) {
        const answer = classifyError(error, 1);
        if (answer.kind === 'cancelled') {
          return { kind: 'unknown', why: 'a cancellation of what is no transaction' };
        }
        if (answer.kind !== 'condition-failed') return answer;
        const stands = await standing(answer, { view, key }, limit);
        return { kind: 'condition-failed', standing: mapFound(stands, view.read) };
      }
    });
  }

  async function reasonOf(reason: RawReason, action: TransactAction | undefined, limit: Limit) {
    if (reason.code !== 'ConditionFailed') return reason;
    const { code } = reason;
    if (!action?.tellsOld) return { code, standing: { kind: 'failed' } } as const;
    return { code, standing: await standing(reason, action, limit) };
  }

  return {
    async get(view, key, { consistent, timeoutMs }) {
      const read = await withTimeLimit(timeoutMs, (limit) =>
        getRaw(view, key, { consistent, ...limit }),
      );
      return mapFound(read, view.read);
    },
    query: (view, query, { timeoutMs }) =>
      page(view, new QueryCommand(queryInput(view, query)), timeoutMs),
    scan: (view, scan, { timeoutMs }) =>
      page(view, new ScanCommand(scanInput(view, scan)), timeoutMs),
    put: (view, put, options) =>
      write(
        { view, key: view.keyOf(put.item), command: new PutCommand(putInput(view, put)) },
        options,
      ),
    update: (view, update, options) =>
      write(
        { view, key: update.key, command: new UpdateCommand(updateInput(view, update)) },
        options,
      ),
    remove: (view, gone, options) =>
      write({ view, key: gone.key, command: new DeleteCommand(deleteInput(view, gone)) }, options),

    async transact(actions, { token, timeoutMs, maySend }) {
      const command = new TransactWriteCommand({
        TransactItems: actions.map(actionInput),
        ReturnConsumedCapacity: 'INDEXES',
        ClientRequestToken: token,
      });
      guard(command, maySend);
      return withTimeLimit<TransactAnswer>(timeoutMs, async (limit) => {
        try {
          const output = await send(command, limit);
          const tables = actions.map(({ view }) => view.table);
          return provesWrite(output, tables)
            ? { kind: 'applied' }
            : { kind: 'unknown', why: 'an answer that does not name the tables written' };
        } catch (error) {
          const answer = classifyError(error, actions.length);
          if (answer.kind === 'condition-failed') {
            return { kind: 'unknown', why: 'a failed condition of what is a transaction' };
          }
          if (answer.kind !== 'cancelled') return answer;
          const reasons = answer.reasons.map((reason, at) => reasonOf(reason, actions[at], limit));
          return { kind: 'cancelled', reasons: await Promise.all(reasons) };
        }
      });
    },
  };
}

type Next = (args: object) => Promise<unknown>;
/** The part of the SDK's middleware stack that is used: its own type differs for every command. */
type Guardable = {
  readonly middlewareStack: {
    readonly add: (
      middleware: (next: Next) => Next,
      options: { step: 'deserialize'; priority: 'low'; name: string; override: true },
    ) => void;
  };
};

/**
 * Nothing leaves once maySend() says no: it is asked last, right in front of the socket, so that a process
 * that was frozen while signing sends nothing on thaw. Low priority in the deserialize step is that place;
 * `override`, since the document client joins a command's stack to the client's twice.
 */
function guard(command: object, maySend: () => boolean): void {
  (command as Guardable).middlewareStack.add(
    (next) => async (args) => {
      if (!maySend()) throw new NotSentError('the time for this write is used up');
      return next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'maySend', override: true },
  );
}
