// Where schedules come from: the live service's /v1/capabilities (an address, or a saved answer), a file,
// text, or the environment that a deployment reads. Must never: take something unread for a schedule.

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { capabilitiesSchema } from '#contract/capabilities.ts';
import { environmentSchema } from '#handlers/config.ts';
import { parseDurationMs } from '#idempotency/duration.ts';
import { parseRetentionSchedule, type RetentionPolicy } from '#idempotency/retention-schedule.ts';
import { OpsError } from '#ops/ops-error.ts';

/** One answer of the live service, milliseconds. */
const LIVE_TIMEOUT_MS = 10_000;
/** What is published was accepted by a stage with minima of its own. */
const NO_MINIMA = { windowMs: 1, graceMs: 1, reserveMs: 1 };

/** Only what is needed: the live release may be older or newer than this one, and publish other things. */
const publishedSchema = z.object({
  idempotency: capabilitiesSchema.shape.idempotency.pick({ schedule: true, reserve: true }),
  jobs: capabilitiesSchema.shape.jobs.pick({ retention: true }),
});

export type Live = { readonly policy: RetentionPolicy; readonly jobRetention: string };

/**
 * @param from an address such as https://api.example.com, or a file with the answer in it
 * @throws OpsError
 */
export async function readLive(from: string): Promise<Live> {
  const text = /^https?:/.test(from) ? await fetchText(from) : await fileText(from);
  const parsed = publishedSchema.safeParse(jsonOrUndefined(text));
  if (!parsed.success) throw new OpsError(`${from} does not answer with capabilities of ours`);
  return liveOf(parsed.data, from);
}

function liveOf({ idempotency, jobs }: z.infer<typeof publishedSchema>, from: string): Live {
  const { reserve } = idempotency;
  const reserveMs = parseDurationMs(reserve);
  if (reserveMs === undefined) throw new OpsError(`${from} publishes no readable reserve`);
  const schedule = scheduleFrom(JSON.stringify(idempotency.schedule), from);
  return { policy: { schedule, reserveMs, reserve }, jobRetention: jobs.retention };
}

/** @param source a file, or the JSON itself */
export async function scheduleText(source: string): Promise<string> {
  return source.trimStart().startsWith('[') ? source : fileText(source);
}

/** @throws OpsError naming the entry */
export function scheduleFrom(json: string, from: string): RetentionPolicy['schedule'] {
  const parsed = parseRetentionSchedule(json, NO_MINIMA);
  if (parsed.kind === 'refused') throw new OpsError(`${from}: ${parsed.sentence}`);
  return parsed.value;
}

/** RETENTION_SCHEDULE of this shell, or undefined when it is not set. */
export function scheduleOfEnvironment(): RetentionPolicy['schedule'] | undefined {
  const text = process.env.RETENTION_SCHEDULE;
  return text ? scheduleFrom(text, 'RETENTION_SCHEDULE') : undefined;
}

/** What a stage has that sets nothing. */
export function defaultSchedule(): RetentionPolicy['schedule'] {
  const text = environmentSchema.shape.RETENTION_SCHEDULE.parse(undefined);
  return scheduleFrom(text, 'the default schedule');
}

async function fetchText(address: string): Promise<string> {
  const url = `${address.replace(/\/+$/, '').replace(/\/v1\/capabilities$/, '')}/v1/capabilities`;
  try {
    // Never a copy from a cache: an entry appended five minutes ago must be seen.
    const headers = { 'cache-control': 'no-cache' };
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(LIVE_TIMEOUT_MS) });
    if (answer.ok) return await answer.text();
    throw new OpsError(`${url} answers ${answer.status}`);
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError(`${url} does not answer`);
  }
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new OpsError(`${path} cannot be read`);
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
