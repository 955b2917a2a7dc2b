// Entity tags of requests (RFC 9110, 8.8.3 and 13.1).

export type EntityTags = readonly string[] | 'any';

const TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** Tags looked at in one header. */
const TAGS_MAX = 20;

/** The opaque parts of the tags in a header; `any` for `*`. A header without a tag names none. */
export function readEntityTags(
  header: string | undefined,
  compare: 'strong' | 'weak',
): EntityTags | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  return [...header.matchAll(TAG)]
    .filter(([whole]) => compare === 'weak' || !whole.startsWith('W/'))
    .slice(0, TAGS_MAX)
    .map(([, tag]) => tag ?? '');
}

export function matches(tags: EntityTags | undefined, etag: string): boolean {
  return tags === 'any' || (tags?.includes(etag) ?? false);
}
