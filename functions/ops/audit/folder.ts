// What an audit has read so far, in a folder: facts and violations a segment, and how far each segment
// has come. Written so that an audit that was stopped, at any moment, goes on where it was: whatever was
// written after the last checkpoint is cut off and read again.

import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { type Fact, factFromLine, factToLine, partOf } from '#ops/audit/facts.ts';
import type { AuditedTable } from '#ops/audit/items.ts';
import type { Violation } from '#ops/audit/violation.ts';
import { OpsError } from '#ops/ops-error.ts';

const segmentSchema = z.object({
  done: z.boolean(),
  /** Where the next page begins: the item's key. */
  lastKey: z.record(z.string(), z.string()).optional(),
  items: z.int(),
  /** Youngest item seen, epoch milliseconds. */
  newestMs: z.number(),
  factBytes: z.int(),
  violationBytes: z.int(),
});
const checkpointSchema = z.object({
  /** What is audited: an audit of one service is never continued on another. */
  tables: z.string(),
  startedAtMs: z.int(),
  segments: z.int(),
  at: z.record(z.string(), segmentSchema),
});
export type Segment = z.infer<typeof segmentSchema>;
type Checkpoint = z.infer<typeof checkpointSchema>;

/** Lines of a part that are written together: 500 parts hold 10 MB back. */
const LINES_AT_ONCE = 100;

const NEW: Segment = { done: false, items: 0, newestMs: 0, factBytes: 0, violationBytes: 0 };

export type AuditFolder = {
  readonly path: string;
  readonly startedAtMs: number;
  readonly segments: number;
  readonly segment: (table: AuditedTable, index: number) => Segment;
  readonly write: (
    at: { readonly table: AuditedTable; readonly index: number },
    page: { readonly facts: readonly Fact[]; readonly violations: readonly Violation[] },
    next: Omit<Segment, 'factBytes' | 'violationBytes'>,
  ) => void;
  readonly violations: () => Violation[];
  /** Deals all facts out into so many parts, those of one job into the same. */
  readonly deal: (parts: number) => Promise<void>;
  readonly factsOfPart: (part: number) => AsyncGenerator<Fact>;
  /** Nothing was read yet: there is nothing to go on with. */
  readonly isEmpty: () => boolean;
  readonly remove: () => void;
};

/** @throws OpsError when the folder belongs to an audit of something else */
export function openAuditFolder(
  path: string,
  fresh: { readonly tables: string; readonly startedAtMs: number; readonly segments: number },
): AuditFolder {
  mkdirSync(path, { recursive: true });
  const file = join(path, 'checkpoint.json');
  const checkpoint: Checkpoint = existsSync(file)
    ? checkpointSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    : { ...fresh, at: {} };
  if (checkpoint.tables !== fresh.tables) {
    throw new OpsError(`${path} holds an audit of ${checkpoint.tables}. Name another folder.`);
  }
  for (const name of readdirSync(path)) {
    const [, segment, what] = /^(\w+-\d+)\.(facts|violations)$/.exec(name) ?? [];
    if (!segment) continue;
    const { factBytes, violationBytes } = checkpoint.at[segment] ?? NEW;
    truncateSync(join(path, name), what === 'facts' ? factBytes : violationBytes);
  }
  const files = (ending: string) =>
    readdirSync(path)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(path, name));
  return {
    path,
    startedAtMs: checkpoint.startedAtMs,
    segments: checkpoint.segments,
    segment: (table, index) => checkpoint.at[`${table}-${index}`] ?? NEW,

    write({ table, index }, { facts, violations }, next) {
      const name = `${table}-${index}`;
      const before = checkpoint.at[name] ?? NEW;
      const factText = facts.map(factToLine).join('');
      const violationText = violations.map((one) => `${JSON.stringify(one)}\n`).join('');
      appendFileSync(join(path, `${name}.facts`), factText);
      if (violationText) appendFileSync(join(path, `${name}.violations`), violationText);
      checkpoint.at[name] = {
        ...next,
        factBytes: before.factBytes + Buffer.byteLength(factText),
        violationBytes: before.violationBytes + Buffer.byteLength(violationText),
      };
      writeFileSync(`${file}.new`, JSON.stringify(checkpoint));
      renameSync(`${file}.new`, file);
    },

    violations: () =>
      files('.violations').flatMap((name) =>
        readFileSync(name, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Violation),
      ),

    async deal(parts) {
      for (const name of files('.part')) rmSync(name);
      const waiting = Array.from({ length: parts }, (): string[] => []);
      const flush = (part: number) => {
        const lines = waiting[part]?.splice(0) ?? [];
        appendFileSync(join(path, `${part}.part`), lines.map((line) => `${line}\n`).join(''));
      };
      for (const name of files('.facts')) {
        for await (const line of createInterface({ input: createReadStream(name) })) {
          const part = partOf(line, parts);
          if ((waiting[part]?.push(line) ?? 0) >= LINES_AT_ONCE) flush(part);
        }
      }
      for (const part of waiting.keys()) flush(part);
    },

    async *factsOfPart(part) {
      const input = createReadStream(join(path, `${part}.part`));
      for await (const line of createInterface({ input })) yield factFromLine(line);
    },

    isEmpty: () => Object.keys(checkpoint.at).length === 0,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
