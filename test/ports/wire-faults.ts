// The faults of the suites on DynamoDB, as rules of the wire proxy: real bytes, broken on their way.

import type { Fault, StoreFaults } from '#test/ports/store-bench.ts';
import { canned, dropReply, gate, holdRequest, reset } from '#test/support/wire-actions.ts';
import type { Action, Match, WireProxy } from '#test/support/wire-proxy.ts';
import {
  awsError,
  jsonReply,
  throttled,
  transactionCancelled,
} from '#test/support/wire-replies.ts';
import { parseJson, type WireRequest } from '#test/support/wire-request.ts';
import type { Reply } from '#test/support/wire-upstream.ts';

const WRITES = new Set(['TransactWriteItems', 'PutItem', 'UpdateItem', 'DeleteItem']);
const READS = new Set(['GetItem', 'Query', 'Scan']);
const WRITE: Match = { where: ({ target }) => WRITES.has(target) };
const READ: Match = { where: ({ target }) => READS.has(target) };
const NEXT_WRITE: Match = { ...WRITE, nth: 1 };

export function wireFaults(proxy: WireProxy): StoreFaults {
  const rule = (match: Match, action: Action): Fault => {
    const made = proxy.rule(match, action);
    return { bitten: () => made.fired };
  };
  return {
    loseRequest: () => rule(NEXT_WRITE, reset()),
    loseAnswer: () => rule(NEXT_WRITE, dropReply()),
    holdWrite() {
      const at = gate();
      const landed = Promise.withResolvers<void>();
      const hold = holdRequest(at);
      const fault = rule(NEXT_WRITE, async (exchange) => {
        await hold(exchange);
        landed.resolve();
      });
      return {
        ...fault,
        async land() {
          at.open();
          await landed.promise;
        },
      };
    },
    refuse: (why) =>
      rule(NEXT_WRITE, (exchange) => canned(refusal(why, exchange.request))(exchange)),
    bareRefusals: () => bareRefusals(proxy),
    emptyReads: (nth) =>
      rule({ ...READ, ...(nth !== undefined && { nth }) }, canned(jsonReply(200, {}))),
    writes: () => proxy.count(WRITE),
  };
}

function refusal(why: 'throttled' | 'conflict', { target, body }: WireRequest): Reply {
  if (why === 'throttled') return throttled();
  if (target !== 'TransactWriteItems') return awsError('TransactionConflictException');
  const [, ...others] = body.TransactItems.map(() => 'None');
  return transactionCancelled('TransactionConflict', ...others);
}

function bareRefusals(proxy: WireProxy): Fault {
  let bitten = 0;
  proxy.rule(WRITE, async (exchange) => {
    const reply = await exchange.forward();
    const { Item, CancellationReasons: reasons, ...rest } = parseJson(reply.body.toString()) ?? {};
    const bare = reasons?.map(({ Item: _, ...reason }: { Item?: unknown }) => reason);
    if (Item === undefined && !/Item/.test(JSON.stringify(reasons) ?? '')) {
      exchange.reply(reply);
      return;
    }
    bitten += 1;
    exchange.reply(
      jsonReply(reply.status, { ...rest, ...(bare && { CancellationReasons: bare }) }),
    );
  });
  return { bitten: () => bitten };
}
