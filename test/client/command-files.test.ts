// Files and streams of the command: where bytes come from, where they go, and what they must be.

import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, env, folder, run, serve, server } from '#test/client/command-bench.ts';
import type { Step } from '#test/client/scripted-server.ts';
import { ARTICLE, FILE, wholeService } from '#test/client/whole-service.ts';
import { JOB_ID } from '#test/client/wire-answers.ts';

describe('download', () => {
  it('-o - writes the bytes to standard output, and no file', async () => {
    const before = readdirSync(command.folder);

    const { code, stdout } = await run('download', JOB_ID, '-o', '-');

    expect([code, stdout]).toEqual([0, FILE]);
    expect(readdirSync(command.folder)).toEqual(before);
  });

  it('-o - writes nothing of a file that is not the right one', async () => {
    const wrong: Step = (exchange) =>
      exchange.received.path === '/bytes'
        ? exchange.answer({ status: 200, headers: {}, body: FILE.toUpperCase() })
        : wholeService(exchange);
    serve(...Array.from({ length: 20 }, () => wrong));

    const { code, stdout } = await run('download', JOB_ID, '-o', '-');

    expect([code, stdout]).toEqual([8, '']);
  });

  it('--json -o - is a mistake', async () => {
    expect((await run('--json', 'download', JOB_ID, '-o', '-')).code).toBe(1);
  });

  it.each([false, true])('--force replaces regular files only: force %s', async (force) => {
    const file = join(folder, 'file');
    const link = join(folder, 'link');
    // Not a device: a command that fails here would replace it.
    const pipe = join(folder, 'pipe');
    writeFileSync(file, 'mine');
    symlinkSync(file, link);
    execFileSync('mkfifo', [pipe]);
    const save = (to: string) => run('download', JOB_ID, '-o', to, ...(force ? ['--force'] : []));

    const codes = [await save(link), await save(folder), await save(pipe), await save(file)];

    expect(codes.map(({ code }) => code)).toEqual([9, 9, 9, force ? 0 : 9]);
    expect([lstatSync(link).isSymbolicLink(), lstatSync(pipe).isFIFO()]).toEqual([true, true]);
    expect(readFileSync(file, 'utf8')).toBe(force ? FILE : 'mine');
    expect(codes[2]?.stderr).toContain('-o - writes to standard output');
  });
});

describe('bytes that are no UTF-8', () => {
  const put = ['articles', 'put', 'a-1', '-', '--title', 'T'];

  it.each([
    ['no UTF-8', Uint8Array.of(0x61, 0xff, 0x62)],
    ['a cut character', Uint8Array.of(0x61, 0xe2, 0x82)],
    ['more than an article', new Uint8Array(300 * 1024 + 1).fill(0x61)],
  ])('are refused from standard input as from a file: %s', async (_, bytes) => {
    const file = join(folder, 'a.md');
    writeFileSync(file, bytes);

    const piped = await command.run(put, env, { stdin: bytes });
    const read = await run('articles', 'put', 'a-1', file, '--title', 'T');

    expect([piped.code, read.code, server.others.length]).toEqual([9, 9, 0]);
  });

  it('reach the service unchanged when they are UTF-8, to the last one', async () => {
    const markdown = `\u{feff}ä\u{1f600}\ufffd${'a'.repeat(300 * 1024 - 12)}`;
    const { code } = await command.run(put, env, { stdin: Buffer.from(markdown) });

    expect(code).toBe(0);
    expect(JSON.parse(server.others[0]?.body ?? '').markdown).toBe(markdown);
  });

  it('are refused as an argument', async () => {
    const shell = ['bash', '-c', `exec "$@" --title $'a\\xffb'`, '--'];

    const { code } = await command.run(['create', 'a-1'], env, { under: shell });

    expect([code, server.creates.length]).toEqual([1, 0]);
  });
});

describe('articles', () => {
  it('get prints the text alone', async () => {
    const { code, stdout, stderr } = await run('articles', 'get', 'a-1');

    expect([code, stdout]).toEqual([0, ARTICLE.markdown]);
    expect(stderr).toContain(ARTICLE.etag);
  });

  it('delete sends the precondition it is given', async () => {
    const { code } = await run('articles', 'delete', 'a-1', '--if-match', '"e-1"');

    expect([code, server.others[0]?.method, server.others[0]?.headers['if-match']]).toEqual([
      0,
      'DELETE',
      '"e-1"',
    ]);
  });
});
