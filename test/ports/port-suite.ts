// A suite of a port: cases by title, each beginning with the number of the guarantee that it shows, so that
// the same cases run over every adapter and are held against the list above the port's type.

import { afterEach, beforeEach, describe, it } from 'vitest';

export type Cases<Bench> = Readonly<Record<string, (on: Bench) => Promise<void>>>;

export type PortSuite<Bench> = {
  /** Name of the port's type. */
  readonly port: string;
  readonly cases: Cases<Bench>;
};

/** Runs a suite on one adapter, each case on a bench of its own. */
export function runPortSuite<Bench extends { readonly close: () => Promise<void> }>(
  { port, cases }: PortSuite<Bench>,
  adapter: string,
  openBench: () => Promise<Bench>,
): void {
  describe(`${port} on ${adapter}`, () => {
    let bench: Bench | undefined;
    beforeEach(async () => {
      bench = await openBench();
    });
    afterEach(async () => {
      await bench?.close();
      bench = undefined;
    });

    for (const [title, play] of Object.entries(cases)) {
      it(title, async () => {
        if (!bench) throw new Error('the bench is open');
        await play(bench);
      });
    }
  });
}
