// Which addresses stay links, at the edges where browsers and strict readers disagree.

import { expect, test } from 'vitest';
import { linkTargetOf, shownTarget } from '#rendering/article-tree/link-target.ts';

test.each([
  ['http://e.org', 'absolute'],
  ['HTTPS://e.org/a b?c#d#e', 'absolute'],
  ['http://[::1]:8080/', 'absolute'],
  ['http://bücher.example/', 'absolute'],
  ['mailto:a@e.org', 'absolute'],
  ['tel:+44', 'absolute'],
  ['mailto:', 'inert'],
  ['tel:', 'inert'],
  ['http://', 'inert'],
  ['http://a*b/', 'inert'],
  ['http://../x', 'inert'],
  ['javascript:alert(1)', 'inert'],
  ['\u0001javascript:alert(1)', 'inert'],
  ['java\nscript:alert(1)', 'inert'],
  ['ht\ntp://e.org', 'inert'],
  [' data:text/html,x', 'inert'],
  ['file:///etc/passwd', 'inert'],
  ['foo):x', 'inert'],
  ['../a:b', 'relative'],
  ['//e.org/a', 'relative'],
  ['?q=a:b', 'relative'],
  ['', 'relative'],
  ['#a:b', 'fragment'],
])('%j is %s', (url, kind) => {
  expect(linkTargetOf(url).kind).toBe(kind);
});

test('decodes a fragment, and takes one as it is that cannot be decoded', () => {
  expect(linkTargetOf('#%E9%87%8D')).toEqual({ kind: 'fragment', id: '重' });
  expect(linkTargetOf('#%')).toEqual({ kind: 'fragment', id: '%' });
});

test('writes a scheme in lower case and leaves the rest', () => {
  expect(linkTargetOf('HTTP://E.org/A')).toEqual({ kind: 'absolute', url: 'http://E.org/A' });
});

test('cuts a target after 200 characters, never within one', () => {
  expect(shownTarget('😀'.repeat(200))).toBe('😀'.repeat(200));
  expect(shownTarget('😀'.repeat(201))).toBe(`${'😀'.repeat(200)}…`);
});
