// What a caller accepts (RFC 9110, 12.5), as far as the routes choose by it.

/** Does the caller name JSON itself, and not refuse it? */
export function prefersJson(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some(
      (range) => /^\s*application\/json\s*(;|$)/i.test(range) && !/;\s*q=0(\.0*)?\s*$/.test(range),
    );
}

/** Does the caller name gzip among its encodings, and not refuse it? */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return (acceptEncoding ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(;|$)/i.test(coding) && !/;\s*q=0(\.0*)?\s*$/.test(coding));
}
