// What the command line takes from its surroundings: where the service is, who calls, where intents are
// kept.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '#client/cli/exit-codes.ts';
import type { Scope } from '#client/cli/intent.ts';
import {
  ofOneCaller,
  principalIn,
  type TokenFlags,
  type TokenSource,
  tokenSource,
} from '#client/cli/token-source.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  readonly scope: Scope;
  readonly token: TokenSource;
}

/** @throws UsageError, LocalError */
export async function readSettings(
  env: Environment,
  flags: TokenFlags,
  signal?: AbortSignal,
): Promise<Settings> {
  const url = env.EXPORT_ONCE_URL;
  if (!url) throw new UsageError('EXPORT_ONCE_URL is not set: the address of the service.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError('EXPORT_ONCE_URL is no http or https address.');
  }
  const source = tokenSource(env, flags);
  const principal = principalIn(await source(signal));
  return {
    token: ofOneCaller(source, principal),
    scope: { url: new URL(url).href.replace(/\/+$/, ''), ...(principal && { principal }) },
  };
}

/** Where intents are kept: EXPORT_ONCE_STATE_DIR, or the user's state directory. */
export function journalFolder(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const local = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_STATE_HOME;
  const state = local || join(homedir(), platform === 'win32' ? 'AppData/Local' : '.local/state');
  return join(env.EXPORT_ONCE_STATE_DIR || join(state, 'export-once'), 'intents');
}
