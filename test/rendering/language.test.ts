// Language tags as documents need them.

import { expect, test } from 'vitest';
import { labelsFor } from '#rendering/article-tree/labels.ts';
import { directionOf, languageTag } from '#rendering/article-tree/language.ts';

test.each([
  ['und', 'und', 'auto'],
  ['EN-us', 'en-US', 'ltr'],
  ['zh-hant', 'zh-Hant', 'ltr'],
  ['ar', 'ar', 'rtl'],
  ['fa-IR', 'fa-IR', 'rtl'],
  ['ur', 'ur', 'rtl'],
  ['he', 'he', 'rtl'],
  ['az-Arab', 'az-Arab', 'rtl'],
  ['ar-Latn', 'ar-Latn', 'ltr'],
  ['not a tag', 'und', 'auto'],
])('%s is written %s and runs %s', (tag, written, direction) => {
  expect([languageTag(tag), directionOf(tag)]).toEqual([written, direction]);
});

test.each([
  ['zh-TW', 'zh-Hant', '目錄'],
  ['zh', 'zh-Hans', '目录'],
  ['de-CH', 'de', 'Inhalt'],
  ['sw', 'en', 'Contents'],
  ['und', 'en', 'Contents'],
])('%s has the words of %s', (tag, language, contents) => {
  expect(labelsFor(tag)).toMatchObject({ language, contents });
});
