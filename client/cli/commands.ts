// What every command has at hand.

import type { Journal, Scope } from '#client/cli/journal.ts';
import type { Output } from '#client/cli/output.ts';
import type { ExportOnceClient } from '#client/client.ts';

export interface Commands {
  readonly client: ExportOnceClient;
  readonly journal: Journal;
  readonly scope: Scope;
  readonly out: Output;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}
