// What every command has at hand.

import type { Scope } from '#client/cli/intent.ts';
import type { Journal } from '#client/cli/journal.ts';
import type { Output } from '#client/cli/output.ts';
import type { Wire } from '#client/cli/wire.ts';
import type { ExportOnceClient } from '#client/client.ts';

export interface Commands {
  readonly client: ExportOnceClient;
  readonly journal: Journal;
  readonly scope: Scope;
  readonly out: Output;
  readonly wire: Wire;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}
