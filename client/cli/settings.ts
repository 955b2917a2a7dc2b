// What the command line takes from the environment: where the service is, who calls, where intents are
// kept. The token is never an argument: arguments can be seen by every process of a machine.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '#client/cli/exit-codes.ts';
import type { Scope } from '#client/cli/journal.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  readonly scope: Scope;
  readonly token: string;
}

/** @throws UsageError */
export function readSettings(env: Environment): Settings {
  const url = env.EXPORT_ONCE_URL;
  const token = env.EXPORT_ONCE_TOKEN;
  if (!url) throw new UsageError('EXPORT_ONCE_URL is not set: the address of the service.');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError('EXPORT_ONCE_URL is no http or https address.');
  }
  if (!token) throw new UsageError('EXPORT_ONCE_TOKEN is not set: a token for the service.');
  const principal = principalIn(token);
  return {
    token,
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

/**
 * Issuer and subject of a JWT, unverified: only to notice that an intent was another caller's, for whom
 * the same key is another intent.
 */
export function principalIn(token: string): string | undefined {
  try {
    const [, payload = ''] = token.split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const { iss, sub } = claims as Record<string, unknown>;
    return typeof iss === 'string' && typeof sub === 'string'
      ? JSON.stringify([iss, sub])
      : undefined;
  } catch {
    return undefined;
  }
}
