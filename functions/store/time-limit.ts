// A time limit on work that takes an abort signal: the only thing that bounds a whole call of the SDK.

export type TimeLimit = { readonly abortSignal: AbortSignal };

/** @throws what `work` throws; at the limit its signal aborts */
export async function withTimeLimit<T>(
  timeoutMs: number,
  work: (limit: TimeLimit) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(1, timeoutMs));
  try {
    return await work({ abortSignal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}
