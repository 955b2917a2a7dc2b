// Purge times, as DynamoDB's TTL reads them: whole seconds, not milliseconds, not years past. Pure.

import type { Item } from '#store/item.ts';

/** TTL ignores what is five years past. */
const IGNORED_S = 5 * 365 * 86_400;
/** No window, grace or retention of ours is longer. */
const AHEAD_S_MAX = 10 * 366 * 86_400;

export type PurgeTime =
  | { readonly kind: 'none' }
  | { readonly kind: 'ok'; readonly seconds: number }
  | { readonly kind: 'wrong'; readonly why: string };

export function readPurgeTime({ purgeAtSeconds }: Item, nowMs: number): PurgeTime {
  if (purgeAtSeconds === undefined) return { kind: 'none' };
  const seconds = purgeAtSeconds;
  if (typeof seconds !== 'number') return wrong('is no number: TTL ignores it');
  const nowS = nowMs / 1000;
  if (!Number.isInteger(seconds)) return wrong(`${seconds} is no whole number`);
  if (seconds > nowS + AHEAD_S_MAX)
    return wrong(`${seconds} looks like milliseconds: it never comes`);
  if (seconds < nowS - IGNORED_S) return wrong(`${seconds} is years past: TTL ignores it`);
  return { kind: 'ok', seconds };
}

function wrong(why: string): PurgeTime {
  return { kind: 'wrong', why: `purgeAtSeconds ${why}` };
}
