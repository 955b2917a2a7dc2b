// The base path of a custom domain (an API mapping): what lies outside is the gateway's own 404, what lies
// below is matched without it. Events keep the path as it was asked for.

/** @returns the path below the base; undefined when it lies outside */
export function below(base: string, path: string): string | undefined {
  if (base === '') return path;
  if (path === base) return '/';
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}
