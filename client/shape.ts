// Looks at what came over the wire before anyone trusts it. An answer that does not have the shape of
// the service's is not the service's. Unknown members are let through: a newer service may add some.

import type { Article, ArticleSummary } from '#client/article.ts';
import type { ExportJob, ExportJobReceipt } from '#client/export-job.ts';
import type { Abandonment, Operation } from '#client/operation.ts';
import type { Problem } from '#client/problem.ts';

/** Returns the value when it is of the shape, else undefined. */
export type Accept<T> = (value: unknown) => T | undefined;

export const acceptReceipt: Accept<ExportJobReceipt> = (value) =>
  hasStrings(value, ['id', 'status', 'createdAt', 'keyExpiresAt']) &&
  hasStrings(value.links, ['self'])
    ? (value as unknown as ExportJobReceipt)
    : undefined;

export const acceptJob: Accept<ExportJob> = (value) =>
  hasStrings(value, ['id', 'status', 'idempotencyKey', 'format', 'createdAt']) &&
  hasStrings(value.links, ['self', 'cancel', 'file']) &&
  isRecord(value.progress) &&
  typeof value.progress.done === 'number' &&
  typeof value.progress.total === 'number'
    ? (value as unknown as ExportJob)
    : undefined;

export const acceptArticleSummary: Accept<ArticleSummary> = (value) =>
  hasStrings(value, ['id', 'title', 'etag', 'updatedAt']) && typeof value.bytes === 'number'
    ? (value as unknown as ArticleSummary)
    : undefined;

export const acceptArticle: Accept<Article> = (value) =>
  acceptArticleSummary(value) && hasStrings(value, ['markdown', 'language'])
    ? (value as unknown as Article)
    : undefined;

export const acceptOperation: Accept<Operation> = (value) =>
  hasStrings(value, ['key', 'state', 'committedAt', 'expiresAt']) &&
  (value.state === 'abandoned' ||
    (value.state === 'committed' && hasStrings(value.job, ['id', 'href'])))
    ? (value as unknown as Operation)
    : undefined;

export const acceptAbandonment: Accept<Abandonment> = (value) =>
  hasStrings(value, ['key', 'committedAt', 'expiresAt']) &&
  value.state === 'abandoned' &&
  (value.executed === 'no' || value.executed === 'unknown')
    ? (value as unknown as Abandonment)
    : undefined;

export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}

export const acceptPage =
  <T>(acceptItem: Accept<T>): Accept<Page<T>> =>
  (value) => {
    if (!isRecord(value) || !Array.isArray(value.items)) return undefined;
    if (value.cursor !== undefined && typeof value.cursor !== 'string') return undefined;
    const items = value.items.map(acceptItem);
    if (items.some((item) => item === undefined)) return undefined;
    const { cursor } = value;
    return { items: items as T[], ...(cursor !== undefined && { cursor }) };
  };

export const acceptFileUrl: Accept<{ readonly url: string }> = (value) =>
  hasStrings(value, ['url']) && URL.canParse(value.url) ? { url: value.url } : undefined;

/**
 * A problem of the service: its type names its code, and it speaks of this status. What it says of the
 * intent counts only for the key that we sent.
 */
export function acceptProblem(value: unknown, status: number, key?: string): Problem | undefined {
  if (!hasStrings(value, ['type', 'title', 'detail', 'code', 'requestId'])) return undefined;
  if (value.status !== status || !value.type.endsWith(`/problems/${value.code}`)) return undefined;
  if (value.idempotencyKey !== undefined && key !== undefined && value.idempotencyKey !== key) {
    return undefined;
  }
  const isOneOf = (name: string, words: readonly string[]) =>
    value[name] === undefined || words.includes(value[name] as string);
  return isOneOf('executed', ['yes', 'no', 'unknown']) &&
    isOneOf('intent', ['committed', 'abandoned', 'unknown'])
    ? (value as unknown as Problem)
    : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasStrings<Name extends string>(
  value: unknown,
  names: readonly Name[],
): value is Record<string, unknown> & Record<Name, string> {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}
