// The journal on disk, where it lies and what it survives; and what is shown of progress.

import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Intent } from '#client/cli/intent.ts';
import { openJournal } from '#client/cli/journal.ts';
import { outputTo } from '#client/cli/output.ts';
import { journalFolder, readSettings } from '#client/cli/settings.ts';
import { principalIn } from '#client/cli/token-source.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 1);
const intent = (key: string, more: Partial<Intent> = {}): Intent => ({
  version: 1,
  key,
  url: 'https://a.example',
  params: { articleIds: ['a'], format: 'text' },
  createdAt: '2026-01-01T00:00:00.000Z',
  state: 'open',
  ...more,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-once-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a journal', () => {
  it('keeps one file an intent, and none for a key of another address or caller', async () => {
    const journal = openJournal(join(folder, 'deep', 'er'));
    const own = intent('k');
    await journal.keep(own);
    await journal.close(own, { kind: 'executed', jobId: 'j' });
    await journal.keep(intent('k', { principal: 'bob' }));

    expect(readdirSync(journal.folder)).toHaveLength(2);
    expect(journal.find('k', own)).toMatchObject({ state: 'executed', jobId: 'j' });
    expect(journal.find('k', { url: 'https://b.example' })).toBeUndefined();
  });

  it.each(['a'.repeat(255), 'a:b~c.d', '0190f5fe-1b7c-7000-8000-abcdefabcdef'])(
    'finds an intent again by its key %s',
    async (key) => {
      const journal = openJournal(folder);
      await journal.keep(intent(key));

      expect(journal.find(key, intent(key))?.key).toBe(key);
    },
  );

  it('reads open intents in the order they were made, and never what a kill left of a write', async () => {
    const journal = openJournal(folder);
    await journal.keep(intent('later', { createdAt: '2026-01-02T00:00:00.000Z' }));
    await journal.keep(intent('earlier'));
    await journal.keep(intent('settled', { state: 'not-executed' }));
    writeFileSync(join(folder, '00.writing'), '{"version":1,');

    const { intents, damaged } = journal.openIntents();

    expect(intents.map(({ key }) => key)).toEqual(['earlier', 'later']);
    expect(damaged).toEqual([]);
  });

  it('forgets settled intents after 30 days, and open ones never', async () => {
    const journal = openJournal(folder);
    const age = (key: string, days: number) => {
      const seconds = (NOW_MS - days * DAY_MS) / 1000;
      utimesSync(journal.fileOf(key, intent(key)), seconds, seconds);
    };
    for (const [key, state, days] of [
      ['old', 'executed', 31],
      ['young', 'executed', 29],
      ['open', 'open', 400],
    ] as const) {
      await journal.keep(intent(key));
      if (state !== 'open') await journal.close(intent(key), { kind: state });
      age(key, days);
    }

    journal.tidy(NOW_MS);

    expect(['old', 'young', 'open'].map((key) => journal.find(key, intent(key))?.key)).toEqual([
      undefined,
      'young',
      'open',
    ]);
  });
});

describe('settings', () => {
  it.each([
    [{ EXPORT_ONCE_STATE_DIR: '/s' }, 'linux', '/s/intents'],
    [{ XDG_STATE_HOME: '/x' }, 'linux', '/x/export-once/intents'],
    [{}, 'darwin', join(homedir(), '.local/state/export-once/intents')],
    [{ LOCALAPPDATA: '/l', XDG_STATE_HOME: '/x' }, 'win32', '/l/export-once/intents'],
  ] as const)('%j on %s keep intents in %s', (env, platform, path) => {
    expect(journalFolder(env, platform)).toBe(path);
  });

  it('take issuer and subject of a token for the caller, and nothing of what is no JWT', async () => {
    const token = `x.${Buffer.from('{"iss":"i","sub":"s","exp":1}').toString('base64url')}.y`;

    expect(principalIn(token)).toBe('["i","s"]');
    expect(principalIn('opaque')).toBeUndefined();
    const env = { EXPORT_ONCE_URL: 'https://a.example/', EXPORT_ONCE_TOKEN: token };
    const settings = await readSettings(env, {});
    expect(settings.scope).toEqual({ url: 'https://a.example', principal: '["i","s"]' });
    expect(await settings.token()).toBe(token);
  });
});

describe('progress', () => {
  const written = (isTTY: boolean, { json = false, terminal = 'xterm' } = {}) => {
    let text = '';
    const stream = new Writable({
      write(chunk, _, done) {
        text += chunk;
        done();
      },
    });
    const progress = outputTo(
      { stdout: stream, stderr: Object.assign(stream, { isTTY }) },
      { json, terminal },
    ).progress('articles');
    progress.show(1, 2, 'running');
    progress.show(1, 2, 'running');
    progress.show(2, 2, 'succeeded');
    progress.stop();
    return text;
  };

  it('is a bar on a terminal', () => {
    expect(written(true)).toMatch(/#+.* 2\/2 articles {2}succeeded/);
  });

  it('is a plain line for each change elsewhere', () => {
    expect(written(false)).toBe('running 1/2 articles\nsucceeded 2/2 articles\n');
  });

  it('is plain lines on a terminal that cannot move its cursor', () => {
    expect(written(true, { terminal: 'dumb' })).toBe(written(false));
  });

  it('is nothing for programs', () => {
    expect(written(true, { json: true })).toBe('');
  });
});
