// Knowledge of an intent only grows, whoever writes it and whatever interrupts the writing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommand } from '#client/cli/create-command.ts';
import { type Journal, openedIntent, openJournal } from '#client/cli/journal.ts';
import { outputTo } from '#client/cli/output.ts';
import { openWire } from '#client/cli/wire.ts';
import { createClient } from '#client/client.ts';
import { type ScriptedServer, startScriptedServer } from '#test/client/scripted-server.ts';

let server: ScriptedServer;
let folder: string;
beforeEach(async () => {
  server = await startScriptedServer();
  folder = mkdtempSync(join(tmpdir(), 'export-once-knowledge-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
const journalHere = () => openJournal(join(folder, 'intents'));

describe('knowledge in the journal', () => {
  const scope = { url: 'https://a.example' };
  const opened = () =>
    openedIntent(
      {
        key: 'k',
        params: { articleIds: ['a'], format: 'text' },
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      scope,
    );
  let journal: Journal;
  beforeEach(() => {
    journal = journalHere();
  });
  const stateOf = () => journal.find('k', scope)?.state;

  it('of an execution is not taken back: not by another opening, not by a refusal', async () => {
    const first = opened();
    await journal.keep(first);
    await journal.close(first, { kind: 'executed', jobId: 'j' });

    const second = opened();
    await journal.keep(second);
    await journal.close(second, { kind: 'not-executed', byAll: true });
    await journal.close(second, { kind: 'executed' });

    expect(journal.find('k', scope)).toMatchObject({ state: 'executed', jobId: 'j' });
  });

  it('of a refusal closes what its sender opened, and not what another opened since', async () => {
    const first = opened();
    const second = opened();
    await journal.keep(first);
    await journal.keep(second);

    await journal.close(first, { kind: 'not-executed' });
    const afterFirst = stateOf();
    await journal.close(second, { kind: 'not-executed' });

    expect([afterFirst, stateOf()]).toEqual(['open', 'not-executed']);
  });

  it('of an abandonment closes it, whoever opened it', async () => {
    await journal.keep(opened());

    await journal.close(opened(), { kind: 'not-executed', byAll: true });

    expect(stateOf()).toBe('not-executed');
  });

  it('of an abandoned key is not opened by a refusal that comes later', async () => {
    const intent = opened();
    await journal.keep(intent);
    await journal.close(intent, { kind: 'not-executed', byAll: true });

    await journal.close(intent, { kind: 'not-executed' });

    expect(stateOf()).toBe('not-executed');
  });
});

describe('an abort while the intent is being kept', () => {
  it('waits for the write, and leaves nothing open', async () => {
    const real = journalHere();
    const interrupt = new AbortController();
    const gate = Promise.withResolvers<void>();
    const slow: Journal = {
      ...real,
      async keep(intent) {
        interrupt.abort(new Error('Ctrl-C'));
        await gate.promise;
        await real.keep(intent);
      },
    };
    const wire = openWire('test');
    const ending = createCommand(
      { articleIds: ['a-1'], format: 'text' },
      {},
      {
        client: createClient({ url: server.url, token: 't', fetch: wire.fetch }),
        journal: slow,
        scope: { url: server.url },
        out: outputTo(process, { json: true }),
        wire,
        signal: interrupt.signal,
      },
    );
    gate.resolve();

    expect(await ending).toBe(3);
    expect(real.openIntents()).toEqual({ intents: [], damaged: [] });
    expect(server.creates).toEqual([]);
  });
});
