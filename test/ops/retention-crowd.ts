// Log lines of a crowd whose lateness is known, as the functions write them: for tests, and run as a
// program to make lines by the million.
//   node test/ops/retention-crowd.ts LINES > crowd.log

import { fileURLToPath } from 'node:url';
import {
  latenessAt,
  readLateness,
  seededRandom,
} from '#ops/retention/simulation/synthetic-arrivals.ts';

export const CROWD_POINTS = '50=PT10S,90=PT10M,99=PT12H,99.9=PT30H,100=PT60H';
const WINDOW_MS = 24 * 3_600_000;
/** 2026-11-01T00:00:00Z, and ten days on. */
const START_MS = 1_793_491_200_000;
const SPAN_MS = 10 * 24 * 3_600_000;

export type CrowdLine = {
  readonly line: string;
  readonly latenessMs: number;
  readonly retry: boolean;
};

/** Every third line is a retry; one in forty is a metric line, one in four thousand is broken. */
export function* crowdLines(lines: number, seed = 7): Generator<CrowdLine> {
  const random = seededRandom(seed);
  const points = readLateness(CROWD_POINTS);
  for (let index = 0; index < lines; index += 1) {
    const atMs = Math.floor(START_MS + (index * SPAN_MS) / lines);
    const timestamp = new Date(atMs).toISOString();
    if (index % 4_000 === 3_999) {
      yield { line: '{"level":"INFO","message":"requ', latenessMs: 0, retry: false };
      continue;
    }
    if (index % 40 === 39) {
      const metric = { _aws: { Timestamp: atMs }, service: 'export-once-prod', AttemptCreated: 1 };
      yield { line: JSON.stringify(metric), latenessMs: 0, retry: false };
      continue;
    }
    const retry = index % 3 === 0;
    const latenessMs = retry ? latenessAt(points, random()) : Math.floor(40 + random() * 400);
    const late = latenessMs >= WINDOW_MS;
    const outcome = retry
      ? late
        ? 'expired'
        : random() < 0.01
          ? 'reused'
          : 'replayed'
      : 'created';
    const line = JSON.stringify({
      level: 'INFO',
      message: 'request',
      timestamp,
      service: 'export-once',
      sampling_rate: 0,
      requestId: `request-${index}`,
      route: 'POST /v1/export-jobs',
      status: outcome === 'expired' ? 412 : outcome === 'reused' ? 422 : 202,
      tookMs: 12,
      keyHash: `key${(index * 2_654_435_761) % 1_000_000_007}`,
      outcome,
      keyKind: 'time-stamped',
      tries: 1,
      latenessMs,
    });
    yield { line, latenessMs, retry };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = Number(process.argv[2] ?? 1_000_000);
  let batch = '';
  for (const { line } of crowdLines(lines)) {
    batch += `${line}\n`;
    if (batch.length < 64 * 1024) continue;
    // A pipe that is full must be waited for: else all of it would pile up here.
    if (!process.stdout.write(batch))
      await new Promise((done) => process.stdout.once('drain', done));
    batch = '';
  }
  process.stdout.write(batch);
}
