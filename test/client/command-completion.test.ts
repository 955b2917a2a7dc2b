// Completion as the shells get it; bash is here to try it.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_FORMATS } from '#contract/export-job.ts';
import { type CommandLine, commandLine } from '#test/client/command.ts';

let command: CommandLine;
beforeAll(async () => {
  command = await commandLine('', 'token');
});
afterAll(() => command.remove());

describe('completion', () => {
  async function script(shell: string): Promise<string> {
    const file = join(command.folder, `completion.${shell}`);
    const { code, stdout } = await command.run(['completion', shell], { EXPORT_ONCE_URL: '' });
    expect(code).toBe(0);
    writeFileSync(file, stdout);
    return file;
  }

  it.each([
    ['', ['create', 'resume', '--json']],
    ['cre', ['create']],
    ['create a-1 --format ', ['epub', 'text']],
    ['--json create --f', ['--format', '--force', '--fresh']],
    ['articles ', ['put', 'get', 'list', 'delete']],
    ['operations ab', ['abandon']],
    ['articles put --if', ['--if-match', '--if-absent']],
    ['completion ', ['bash', 'zsh', 'fish']],
  ])('in bash offers behind "%s" what may follow', async (typed, expected) => {
    const words = ['export-once', ...typed.split(' ')];
    const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _export_once
      printf '%s\\n' "\${COMPREPLY[@]}"`;

    const offered = execFileSync('bash', ['-c', program, '--', await script('bash'), ...words]);

    expect(`${offered}`.split('\n')).toEqual(expect.arrayContaining(expected));
  });

  it.each(['zsh', 'fish'])('for %s names each command and each format', async (shell) => {
    const text = readFileSync(await script(shell), 'utf8');

    for (const word of ['create', 'abandon', 'delete', 'token-file', ...EXPORT_FORMATS]) {
      expect(text).toContain(word);
    }
  });

  it('knows no other shell', async () => {
    expect((await command.run(['completion', 'tcsh'])).code).toBe(1);
  });
});
