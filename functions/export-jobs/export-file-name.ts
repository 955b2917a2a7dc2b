// The name a downloaded file gets: the title where there is one, readable in any script (RFC 6266, 8187).

import { create } from 'content-disposition';

/** Code points of a name before its extension: file systems end at 255 bytes. */
const NAME_CHARACTERS_MAX = 60;

/** The whole Content-Disposition value, ASCII only. */
export function exportFileName(title: string | undefined, extension: string): string {
  const cleaned = (title ?? '')
    .replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[.\s]+/, '');
  const name = [...cleaned].slice(0, NAME_CHARACTERS_MAX).join('').trim() || 'export';
  const ascii = /^[\x20-\x7e]+$/.test(name);
  return create(`${name}.${extension}`, ascii ? {} : { fallback: `export.${extension}` });
}
