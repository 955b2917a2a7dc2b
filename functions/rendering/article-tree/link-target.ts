// Where a link of an article leads once it stands in a file. Only what a reader can follow from there, and
// what can do nothing but open a page or a letter, stays a link; the rest is shown as text.

export type LinkTarget =
  /** With its scheme in lower case. */
  | { readonly kind: 'absolute'; readonly url: string }
  /** Inside the same article; `id` is decoded, without the `#`. */
  | { readonly kind: 'fragment'; readonly id: string }
  /** Relative to a page that the file does not have. */
  | { readonly kind: 'relative'; readonly url: string }
  /** `javascript:`, `data:`, `vbscript:`, and all that is not known to be harmless. */
  | { readonly kind: 'inert'; readonly url: string };

const FOLLOWED_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** A name, internationalised ones in their ASCII form, or an address. */
const GOOD_HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;
/** Longest target that is shown to a reader, characters: a `data:` URL can be the whole article. */
const SHOWN_CHARACTERS_MAX = 200;

export function linkTargetOf(url: string): LinkTarget {
  if (url.startsWith('#')) return { kind: 'fragment', id: decoded(url.slice(1)) };
  // Browsers ignore white space and controls around and inside a scheme, so it is judged without them;
  // and whatever stands before a first colon may be taken for a scheme by somebody.
  const scheme = /^[^/?#:]*:/.exec(url.replace(/[\p{C}\p{Z}]/gu, ''))?.[0].toLowerCase();
  if (scheme === undefined) return { kind: 'relative', url };
  const isPlain = url.slice(0, scheme.length).toLowerCase() === scheme;
  if (!FOLLOWED_SCHEMES.has(scheme) || !isPlain || !isComplete(url)) return { kind: 'inert', url };
  return { kind: 'absolute', url: scheme + url.slice(scheme.length) };
}

/** A target as text, cut where it gets too long to read. */
export function shownTarget(url: string): string {
  const characters = [...url.slice(0, 2 * SHOWN_CHARACTERS_MAX)];
  if (characters.length <= SHOWN_CHARACTERS_MAX && characters.join('') === url) return url;
  return `${characters.slice(0, SHOWN_CHARACTERS_MAX).join('')}…`;
}

/**
 * Browsers let addresses pass that lead nowhere and that strict readers refuse: hosts that no name server
 * knows, such as `a*b` or `%60`, and letters and calls to nobody.
 */
function isComplete(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol, pathname } = new URL(url);
  if (protocol === 'mailto:') return /^[^\s/]/.test(pathname);
  if (protocol === 'tel:') return /^[+\d]/.test(pathname);
  return GOOD_HOST.test(hostname);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
