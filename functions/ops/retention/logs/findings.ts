// What a report found, as plain values: printed, drawn, and written as JSON for `plan --report`.
// Everything here can be checked against the log lines; only the costs rest on assumptions.

import * as z from 'zod';

const percentilesSchema = z.object({
  count: z.int(),
  /** `share` of them were at most this late, milliseconds. */
  percentiles: z.array(z.object({ share: z.number(), latenessMs: z.number() })),
  largestMs: z.number().optional(),
});

const arrivalSchema = z.object({
  atMs: z.int(),
  latenessMs: z.number(),
  keyKind: z.enum(['time-stamped', 'opaque']),
  keyHash: z.string().optional(),
});

const candidateSchema = z.object({
  windowMs: z.number(),
  graceMs: z.number(),
  /** Why it is in the list: `in force`, `covers 99.9 %`, or nothing for a round window. */
  label: z.string(),
  /** Retries and first attempts seen that this window would have refused. */
  retriesBeyond: z.int(),
  firstsBeyond: z.int(),
  storedKeys: z.number(),
  purgeBacklogKeys: z.number(),
  bytes: z.number(),
  storageUsdPerMonth: z.number(),
  writesUsdPerMonth: z.number(),
});

const bandSchema = z.object({
  /** From the band before; the last band has no end. */
  toMs: z.number().optional(),
  first: z.int(),
  replayed: z.int(),
  refused: z.int(),
  late: z.int(),
});

export const findingsSchema = z.object({
  version: z.literal(1),
  source: z.string(),
  lines: z.int(),
  unreadable: z.int(),
  attempts: z.int(),
  refusedBeforeJudging: z.int(),
  withoutLateness: z.int(),
  implausible: z.int(),
  fromMs: z.int(),
  toMs: z.int(),
  outcomes: z.record(z.string(), z.int()),
  keyKinds: z.object({ 'time-stamped': z.int(), opaque: z.int() }),
  inForce: z.object({ windowMs: z.number(), graceMs: z.number(), source: z.string() }),
  retries: percentilesSchema,
  firsts: percentilesSchema,
  covers: z.array(z.object({ share: z.number(), windowMs: z.number() })),
  late: z.object({ count: z.int(), latest: z.array(arrivalSchema) }),
  latestRetry: arrivalSchema.optional(),
  bands: z.array(bandSchema),
  candidates: z.array(candidateSchema),
  keysPerDay: z.number(),
  keysPerDayIs: z.enum(['seen', 'given']),
  assumptions: z.array(z.string()),
  /** Buckets that are not empty: upper edge, retries, first attempts. */
  buckets: z.array(z.tuple([z.number(), z.int(), z.int()])),
});

export type Findings = z.infer<typeof findingsSchema>;
export type Candidate = z.infer<typeof candidateSchema>;
export type Band = z.infer<typeof bandSchema>;

/** @throws Error in one sentence */
export function parseFindings(json: string): Findings {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error('the report is not JSON: write one with retention report --json FILE');
  }
  const parsed = findingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new Error(`the report is not one of this version (at "${where}"): make it again`);
}

/** Retries and first attempts seen that a window would have refused; at most 1 % of lateness too many. */
export function seenBeyond(
  { buckets }: Pick<Findings, 'buckets'>,
  windowMs: number,
): { readonly retries: number; readonly firsts: number } {
  let retries = 0;
  let firsts = 0;
  for (const [edgeMs, retriesBelow, firstsBelow] of buckets) {
    if (edgeMs <= windowMs) continue;
    retries += retriesBelow;
    firsts += firstsBelow;
  }
  return { retries, firsts };
}
