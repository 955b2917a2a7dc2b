// Every fixed number of the contract, once, with its unit and its reason.
// What an operator may tune is configuration (handlers/config.ts), not here.

/** Create body, bytes: 500 article IDs of 128 characters are 66 KB; the rest is room. */
export const CREATE_BODY_BYTES_MAX = 100 * 1024;
/** Markdown of one article, bytes of UTF-8: a DynamoDB item ends at 400 KB. */
export const ARTICLE_MARKDOWN_BYTES_MAX = 300 * 1024;
/** PUT body of an article, bytes: JSON escapes may make six bytes of one. */
export const ARTICLE_BODY_BYTES_MAX = 6 * ARTICLE_MARKDOWN_BYTES_MAX + 8 * 1024;
/** Articles of one export job. */
export const ARTICLES_PER_JOB_MAX = 500;
/** Characters (code points) of a title. */
export const TITLE_CHARACTERS_MAX = 200;
/** Characters of an article ID. */
export const ARTICLE_ID_CHARACTERS_MAX = 128;
/** Characters of a BCP 47 tag: RFC 5646, 4.4.1, asks for room for 35. */
export const LANGUAGE_CHARACTERS_MAX = 35;
/** The caller's X-Request-Timeout-Ms, milliseconds: API Gateway gives up at 30 s. */
export const REQUEST_TIMEOUT_MS_MAX = 30_000;
/** Prefer: wait=N, seconds: answers well before the gateway's 30 s. */
export const WAIT_SECONDS_MAX = 20;
/** Largest difference between our clock and the gateway's, milliseconds. */
export const CLOCK_SKEW_MS_MAX = 60_000;
/** Items of one page of a list. */
export const PAGE_ITEMS_MAX = 100;
export const PAGE_ITEMS_DEFAULT = 20;
/** Characters of a request ID from the caller. */
export const REQUEST_ID_CHARACTERS_MAX = 128;
