import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyAuthorization } from '#local/gateway/jwt.ts';
import { loadSigningKey } from '#local/gateway/signing-key.ts';

const COMMAND = fileURLToPath(new URL('../../infra/local/token.ts', import.meta.url));

function token(...args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, [COMMAND, ...args], (failure, stdout, stderr) =>
      done({ code: Number(failure?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('npm run token', () => {
  it('prints a token for the subject that is good for a day, and nothing else', async () => {
    const { code, stdout, stderr } = await token('alice');
    const claims = await verifyAuthorization(loadSigningKey(), `Bearer ${stdout.trim()}`);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(claims).toMatchObject({ sub: 'alice', aud: 'export-once' });
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(86_400);
  });

  it('takes a time to live', async () => {
    const { stdout } = await token('alice', '--ttl', '60');
    const claims = await verifyAuthorization(loadSigningKey(), stdout.trim());

    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(60);
  });

  it('explains itself with examples', async () => {
    const { code, stdout } = await token('--help');

    expect(code).toBe(0);
    expect(stdout).toContain('TOKEN=$(npm run --silent token -- alice)');
  });

  it.each([
    [[], 'Name one subject'],
    [['a', 'b'], 'Name one subject'],
    [[''], 'Name one subject'],
    [['alice', '--ttl', 'soon'], '--ttl must be a whole number of seconds'],
    [['alice', '--ttl', '0'], '--ttl must be a whole number of seconds'],
    [['alice', '--nonsense'], "Unknown option '--nonsense'"],
    [['x'.repeat(201)], 'longer than 200 characters'],
  ])('refuses %j with one sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await token(...args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('the signing key', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-once-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const thumb = (key = loadSigningKey(folder)) =>
    key.publicKey.export({ type: 'spki', format: 'pem' });

  it('is the same for everyone, also when several commands make it at once', async () => {
    const script = `
      const { loadSigningKey } = await import(${JSON.stringify(
        new URL('../../infra/local/gateway/signing-key.ts', import.meta.url).href,
      )});
      process.stdout.write(loadSigningKey(process.argv[1]).publicKey.export({ type: 'spki', format: 'pem' }));`;
    const make = () =>
      new Promise<string>((done) =>
        execFile(process.execPath, ['--input-type=module', '-e', script, folder], (_, stdout) =>
          done(stdout),
        ),
      );

    const made = await Promise.all([make(), make(), make(), make()]);

    expect(made[0]).toContain('BEGIN PUBLIC KEY');
    expect(new Set([...made, thumb()]).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['token-signing-key.pem']);
  });

  it('that is damaged is refused with what to do', () => {
    writeFileSync(join(folder, 'token-signing-key.pem'), 'nonsense');

    expect(() => loadSigningKey(folder)).toThrow(/holds no private key: remove it/);
  });
});
