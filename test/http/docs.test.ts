// The pages of the contract: whole without the internet, safe in a browser, and one for every code.

import { gunzipSync } from 'node:zlib';
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import { PROBLEM_EXPLANATIONS } from '#contract/problem-explanations.ts';
import { PROMISE } from '#http/pages/promise.ts';
import { type Answered, type Service, startService } from '#test/support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const html = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  // Lower-case doctype is as good; long titles are the catalogue's.
  rules: { 'doctype-style': 'off', 'long-title': 'off' },
});

async function expectSound({ text }: Answered): Promise<void> {
  const report = await html.validateString(text);
  expect(report.results.flatMap(({ messages }) => messages)).toEqual([]);
  expect(text).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=|https?:\/\//);
}

describe('GET /docs', () => {
  let page: Answered;
  beforeAll(async () => {
    page = await service.call('GET /docs');
  });

  it('is sound HTML without inline script or style, and without another host', async () => {
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    await expectSound(page);
  });

  it('goes out with the headers that keep a browser safe, and may be cached', () => {
    expect(page.headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const policy = page.headers['content-security-policy']?.split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
  });

  it('shows the whole promise and links every problem code', () => {
    const said = page.text.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"');
    for (const { situation, answers, meaning } of PROMISE) {
      expect(said).toContain(situation);
      expect(said).toContain(meaning.replaceAll('`', ''));
      for (const answer of answers) expect(said).toContain(answer);
    }
    for (const code of PROBLEM_CODES) expect(page.text).toContain(`href="problems/${code}"`);
  });

  it('promises statuses and codes that exist', () => {
    for (const { answers } of PROMISE) {
      for (const [status, code] of answers.map((answer) => answer.split(' '))) {
        expect(status).toMatch(/^[2-5]\d\d$/);
        if (code) expect(PROBLEMS[code as ProblemCode].status).toBe(Number(status));
      }
    }
  });

  it('finds every asset that it names, with its type, plain and compressed alike', async () => {
    const names = [...page.text.matchAll(/(?:src|href)="docs\/([^"]+)"/g)].map(([, name]) => name);
    expect(names.sort()).toEqual(['page.css', 'page.js', 'swagger-ui.css', 'swagger-ui.js']);
    for (const asset of names as string[]) {
      const path = { asset };
      const plain = await service.call('GET /docs/{asset}', { path });
      const packed = await service.call('GET /docs/{asset}', {
        path,
        headers: { 'accept-encoding': 'br, gzip' },
      });
      const refused = await service.call('GET /docs/{asset}', {
        path,
        headers: { 'accept-encoding': 'gzip;q=0' },
      });

      expect(plain.headers['content-type']).toMatch(
        asset.endsWith('.js') ? /^text\/javascript/ : /^text\/css/,
      );
      expect(plain.headers['x-content-type-options']).toBe('nosniff');
      expect(plain.headers['cache-control']).toBe('public, max-age=3600');
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(Buffer.from(packed.text, 'base64')).toString()).toBe(plain.text);
      expect(refused.headers).not.toHaveProperty('content-encoding');
      expect(plain.text.length).toBeGreaterThan(200);
      expect(plain.text).not.toMatch(/@import|url\(["']?https?:/);
    }
  });

  it.each(['page.css/../x', '..', '__proto__', 'constructor', 'swagger-ui.css.map', ''])(
    'has no asset %j',
    async (asset) => {
      const answer = await service.call('GET /docs/{asset}', { path: { asset } });

      expect(answer).toMatchObject({ status: 404, body: { code: 'route-not-found' } });
    },
  );
});

describe('GET /problems/{code}', () => {
  it.each(PROBLEM_CODES)('explains %s as a page and as JSON, in the same words', async (code) => {
    const path = { code };
    const page = await service.call('GET /problems/{code}', { path });
    const asJson = await service.call('GET /problems/{code}', {
      path,
      headers: { accept: 'application/json' },
    });

    const explanation = PROBLEM_EXPLANATIONS[code];
    expect(asJson.body).toEqual({
      code,
      status: PROBLEMS[code].status,
      title: PROBLEMS[code].title,
      ...explanation,
      next: expect.stringContaining(explanation.next),
    });
    expect(page.status).toBe(200);
    await expectSound(page);
    const said = page.text.replace(/<[^>]+>/g, '');
    for (const part of Object.values(explanation)) {
      expect(said).toContain(part.replaceAll('`', '').replaceAll('"', '&quot;'));
    }
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers.vary).toContain('accept');
  });

  it('never says more of the execution than the catalogue does', () => {
    for (const code of PROBLEM_CODES) {
      const { executed } = PROBLEMS[code];
      const said = PROBLEM_EXPLANATIONS[code].executed;
      if (executed === 'no')
        expect(`${code}: ${said}`).toMatch(/: (No\b|Not (by )?this|The aband)/);
      if (executed === 'unknown') expect(`${code}: ${said}`).toMatch(/: Not known/);
    }
  });

  it('answers a code that does not exist with 404', async () => {
    for (const code of ['nothing', '__proto__', 'toString', '../docs']) {
      const answer = await service.call('GET /problems/{code}', { path: { code } });
      expect(answer).toMatchObject({ status: 404, body: { code: 'route-not-found' } });
    }
  });
});
