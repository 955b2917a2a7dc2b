// A stream that is told things and may fail at any moment: a full disk, a reader that has gone, a terminal
// that hung up. Promises: it never throws and never ends the process; the first failure is kept, and
// nothing is written after it.

export type Told =
  | { readonly kind: 'told' }
  /** Whoever read it has gone. */
  | { readonly kind: 'reader-gone' }
  | { readonly kind: 'not-written'; readonly why: string };

export interface ToldStream {
  readonly stream: NodeJS.WritableStream;
  /** Resolves when they are taken or refused; rejects never. */
  readonly write: (bytes: string | Uint8Array) => Promise<void>;
  /** What is known so far, without waiting. */
  readonly sofar: () => Told;
  /** What became of everything written, when all of it has been taken or refused. */
  readonly settled: () => Promise<Told>;
}

export function toldStream(stream: NodeJS.WritableStream): ToldStream {
  let told: Told = { kind: 'told' };
  const underWay = new Set<Promise<void>>();
  const fail = (error: NodeJS.ErrnoException) => {
    if (told.kind !== 'told') return;
    told =
      error.code === 'EPIPE'
        ? { kind: 'reader-gone' }
        : { kind: 'not-written', why: error.message };
  };
  // Also for those who write to the stream by themselves: without a listener an error ends the process.
  stream.on('error', fail);
  return {
    stream,
    async write(bytes) {
      if (told.kind !== 'told') return;
      const taken = new Promise<void>((done) => {
        const ended = (error?: Error | null) => {
          if (error) fail(error);
          done();
        };
        try {
          stream.write(bytes, ended);
        } catch (error) {
          ended(error instanceof Error ? error : new Error(`${error}`));
        }
      });
      underWay.add(taken);
      await taken;
      underWay.delete(taken);
    },
    sofar: () => told,
    async settled() {
      await Promise.all(underWay);
      return told;
    },
  };
}
