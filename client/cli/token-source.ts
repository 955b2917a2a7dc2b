// Where the token comes from: the environment, a file, or what a command prints. A file is read and a
// command asked again while the process runs, so that a token may be renewed. Must never be an argument:
// every process of a machine sees arguments. Must never become another caller's under way.

import { exec } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { LocalError, messageOf, UsageError } from '#client/cli/exit-codes.ts';

/** A command that prints a token may ask a person or a server, milliseconds. */
const COMMAND_TIMEOUT_MS = 60_000;
/** A token that does not say when it ends is asked for again after this long, milliseconds. */
const COMMAND_AGAIN_MS = 5 * 60_000;
/** Asked for again this long before it ends, milliseconds. */
const RENEW_BEFORE_MS = 30_000;

export interface TokenFlags {
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
}

/** Gives a token that a header can carry. @throws UsageError, LocalError */
export type TokenSource = (signal?: AbortSignal) => Promise<string>;

/** @throws UsageError */
export function tokenSource(
  env: Readonly<Record<string, string | undefined>>,
  { tokenFile, tokenCommand }: TokenFlags,
): TokenSource {
  if (tokenFile !== undefined && tokenCommand !== undefined) {
    throw new UsageError('--token-file and --token-command cannot both be given.');
  }
  if (tokenFile !== undefined) return fromFile(tokenFile);
  if (tokenCommand !== undefined) return fromCommand(tokenCommand);
  const token = env.EXPORT_ONCE_TOKEN;
  if (!token) {
    throw new UsageError(
      'EXPORT_ONCE_TOKEN is not set: a token for the service (or give --token-file, --token-command).',
    );
  }
  const checked = checkedToken(token, 'EXPORT_ONCE_TOKEN');
  return async () => checked;
}

/** The same source, for one caller alone: for another the same key is another intent. */
export function ofOneCaller(source: TokenSource, principal: string | undefined): TokenSource {
  return async (signal) => {
    const token = await source(signal);
    if (principalIn(token) === principal) return token;
    throw new LocalError("The token has become another caller's while the command ran.");
  };
}

/**
 * Issuer and subject of a JWT, unverified: only to notice that an intent was another caller's, for whom
 * the same key is another intent.
 */
export function principalIn(token: string): string | undefined {
  const { iss, sub } = claimsIn(token);
  return typeof iss === 'string' && typeof sub === 'string'
    ? JSON.stringify([iss, sub])
    : undefined;
}

function fromFile(file: string): TokenSource {
  let once: string | undefined;
  return async () => {
    if (once !== undefined) return once;
    let text: string;
    try {
      const isReadAgain = statSync(file).isFile();
      text = readFileSync(file, 'utf8');
      // A pipe gives its text once.
      if (!isReadAgain) once = checkedToken(text, file);
    } catch (cause) {
      if (cause instanceof UsageError) throw cause;
      throw new LocalError(`The token cannot be read: ${messageOf(cause)}`, { cause });
    }
    return checkedToken(text, file);
  };
}

function fromCommand(command: string): TokenSource {
  let known: { readonly token: string; readonly untilMs: number } | undefined;
  return async (signal) => {
    if (known && Date.now() < known.untilMs) return known.token;
    const token = checkedToken(await outputOf(command, signal), 'What --token-command prints');
    const { exp } = claimsIn(token);
    const endMs = typeof exp === 'number' ? exp * 1000 - RENEW_BEFORE_MS : undefined;
    known = { token, untilMs: endMs ?? Date.now() + COMMAND_AGAIN_MS };
    return token;
  };
}

async function outputOf(command: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    const options = { timeout: COMMAND_TIMEOUT_MS, ...(signal && { signal }) };
    return (await promisify(exec)(command, options)).stdout;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    // Its own words may hold a secret: only how it ended is told.
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    throw new LocalError(`--token-command failed${code}.`, { cause });
  }
}

function checkedToken(text: string, where: string): string {
  const token = text.trim();
  if (token === '') throw new UsageError(`${where} holds no token.`);
  const place = [...token].findIndex((character) => !/^[\x21-\x7e]$/.test(character));
  if (place === -1) return token;
  const codePoint = [...token][place]?.codePointAt(0) ?? 0;
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  throw new UsageError(
    `${where} holds ${name} at character ${place + 1}: no header can carry it, so nothing can be sent.`,
  );
}

function claimsIn(token: string): { readonly [name: string]: unknown } {
  try {
    const [, payload = ''] = token.split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
