// One intent as it is kept: what was going to be sent, under which key, and what became of it. What is
// read back is looked at before anyone trusts it. Must never hold a token.

import { EXTENSIONS } from '#client/cli/formats.ts';
import type { CreateExportJobParams, ExportFormat } from '#client/export-job.ts';
import { KEY_PATTERN } from '#client/idempotency-key.ts';

/** Whose intent: the same key means another intent at another address or for another caller. */
export interface Scope {
  readonly url: string;
  /** From the token's claims; undefined when the token has none that can be read. */
  readonly principal?: string;
}

export interface Intent extends Scope {
  readonly version: 1;
  readonly key: string;
  readonly params: CreateExportJobParams;
  readonly createdAt: string;
  readonly state: 'open' | 'executed' | 'not-executed';
  /** Another one each time the intent is opened: what one sender was refused says nothing of another's. */
  readonly opening?: string;
  readonly jobId?: string;
  readonly settledAt?: string;
}

/** @returns undefined when the text is no intent */
export function parseIntent(text: string): Intent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isIntent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function haveSameParams(one: CreateExportJobParams, other: CreateExportJobParams): boolean {
  return textOf(one) === textOf(other);
}

/** As a person would name it: by its title, or by what is in it. */
export function titleOf({ title, articleIds, format }: CreateExportJobParams): string {
  const [first = '', ...others] = articleIds;
  const rest = others.length === 0 ? '' : ` and ${others.length} more`;
  return title === undefined || title === '' ? `${first}${rest} as ${format}` : `"${title}"`;
}

/** Members in the order of their names: a journal may have been written by another version. */
function textOf(params: CreateExportJobParams): string {
  return JSON.stringify(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isIntent(value: unknown): value is Intent {
  if (!isRecord(value)) return false;
  const { version, key, url, principal, params, createdAt, state } = value;
  return (
    version === 1 &&
    typeof key === 'string' &&
    KEY_PATTERN.test(key) &&
    typeof url === 'string' &&
    isTextIfThere(principal) &&
    typeof createdAt === 'string' &&
    isTextIfThere(value.jobId) &&
    isTextIfThere(value.opening) &&
    isParams(params) &&
    (state === 'open' || state === 'executed' || state === 'not-executed')
  );
}

function isParams(value: unknown): value is CreateExportJobParams {
  if (!isRecord(value) || !Array.isArray(value.articleIds)) return false;
  return (
    value.articleIds.every((id) => typeof id === 'string') &&
    isFormat(value.format) &&
    [value.title, value.language, value.sourceBatchId].every(isTextIfThere)
  );
}

function isFormat(value: unknown): value is ExportFormat {
  return typeof value === 'string' && Object.hasOwn(EXTENSIONS, value);
}

function isTextIfThere(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
