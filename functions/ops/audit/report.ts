// What an audit found, for a person or for a program. Each kind with what it means, then each item.

import type { AuditReport } from '#ops/audit/run-audit.ts';
import { VIOLATIONS, type Violation, type ViolationCode } from '#ops/audit/violation.ts';

/** Items of one kind that a person is shown unasked. */
const SHOWN_MAX = 20;

export function auditAsJson({ items, violations, tooNew, restore }: AuditReport): string {
  const { violations: _, ...after } = restore ?? { violations: [] };
  return `${JSON.stringify({ ok: violations.length === 0, items, tooNew, violations, ...(restore && { afterRestore: after }) })}\n`;
}

export function auditAsText(report: AuditReport, { all }: { readonly all: boolean }): string {
  const { items, violations, tooNew, restore } = report;
  const lines = Object.entries(items).map(([table, count]) => `${table.padEnd(16)} ${count} items`);
  if (tooNew > 0)
    lines.push(`${tooNew} jobs were made during the audit, or just before: not judged`);
  lines.push('');
  for (const [code, found] of byCode(violations)) {
    lines.push(`${code} (${found.length}): ${VIOLATIONS[code]}`);
    const shown = all ? found : found.slice(0, SHOWN_MAX);
    for (const { table, item, detail } of shown) lines.push(`  ${table} ${item}: ${detail}`);
    if (shown.length < found.length) lines.push(`  and ${found.length - shown.length} more: --all`);
    lines.push('');
  }
  if (restore) {
    lines.push('After the restore', '  May be lost:', ...restore.lost.map((line) => `  - ${line}`));
    lines.push('  Came back:', ...orNothing(restore.revived), `  ${restore.floor}`, '');
  }
  lines.push(
    violations.length === 0
      ? 'No violation.'
      : `${counted(violations.length, 'violation')} of ${counted(byCode(violations).size, 'kind')}.`,
  );
  return `${lines.join('\n')}\n`;
}

function byCode(violations: readonly Violation[]): Map<ViolationCode, Violation[]> {
  return Map.groupBy(violations, ({ code }) => code);
}

function orNothing(lines: readonly string[]): string[] {
  return lines.length === 0 ? ['  - nothing'] : lines.map((line) => `  - ${line}`);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
