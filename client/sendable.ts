// What fetch would refuse before it opens a connection, found out beforehand: then nothing was sent, which
// its own error does not prove. Names the culprit. Must never show a token.

import type { World } from '#client/world.ts';

/** What no field value can hold (RFC 9110, 5.5): controls but the tab, and what is beyond one byte. */
const NOT_IN_A_HEADER = /[^\t\x20-\x7e\x80-\xff]/u;

/** @returns a sentence about the port, or undefined when fetch connects to it */
export function portTrouble(url: string, { blocksPort }: World): string | undefined {
  const { port, host } = new URL(url);
  if (port === '' || !blocksPort?.(Number(port))) return undefined;
  return `The address ${host} cannot be used: fetch connects to no port ${port}.`;
}

/** @returns a sentence that names the header and the character, or undefined when all can be sent */
export function headerTrouble(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    const trouble = characterTrouble(value);
    if (trouble !== undefined) return `The header ${name} cannot be sent: ${trouble}.`;
  }
  return undefined;
}

/** @returns a sentence, or undefined when it can be sent */
export function tokenTrouble(token: unknown): string | undefined {
  if (typeof token !== 'string') return `The token is no string but ${typeof token}.`;
  if (token === '') return 'The token is empty.';
  const trouble = characterTrouble(token);
  return trouble === undefined ? undefined : `The token cannot be sent: ${trouble}.`;
}

function characterTrouble(value: string): string | undefined {
  const found = NOT_IN_A_HEADER.exec(value);
  if (found === null) return undefined;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `no header holds its character ${found.index + 1} (U+${code})`;
}
