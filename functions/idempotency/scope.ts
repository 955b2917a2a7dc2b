// The name a record is stored under: principal + operation + key, hashed with every part length-prefixed,
// so that no choice of parts can make two scopes meet. No raw key or subject is stored in a table key.

import { createHash } from 'node:crypto';

/** Who is asking: `iss` and `sub` of a verified token, and nothing else. */
export type Principal = { readonly issuer: string; readonly subject: string };

/** Operations that take an idempotency key. The same key under another name is another intent. */
export type OperationName = string & { readonly of: 'operation' };
export const operationName = (name: string): OperationName => name as OperationName;

/** base64url SHA-256 of length-prefixed parts: 43 characters. Injective up to SHA-256. */
export function hashOfParts(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(`${Buffer.byteLength(part, 'utf8')}:`, 'utf8').update(part, 'utf8');
  }
  return hash.digest('base64url');
}

/** Key of the record of one intent. */
export function recordKeyOf(
  principal: Principal,
  operation: OperationName,
  idempotencyKey: string,
): string {
  return hashOfParts([
    'idempotency-record',
    principal.issuer,
    principal.subject,
    operation,
    idempotencyKey,
  ]);
}

/** What a log may show of a key: a short hash, the same for the same principal and key. */
export function keyHashForLogs(recordKey: string): string {
  return recordKey.slice(0, 12);
}
