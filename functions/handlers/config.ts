// Configuration from the environment: every number once, with its unit, its default and its reason.
// A bad value stops the start with one sentence that names the variable.

import * as z from 'zod';
import { BASE_PATH_PATTERN } from '#contract/grammar.ts';
import { plainWords } from '#contract/plain-words.ts';
import { parseDurationMs } from '#idempotency/duration.ts';
import { type EpochMs, epochMs } from '#idempotency/epoch.ts';
import {
  parseRetentionSchedule,
  type RetentionMinima,
  type RetentionPolicy,
} from '#idempotency/retention-schedule.ts';
import { RETRY_TOKENS_MAX } from '#idempotency/retry-budget.ts';

/** And by how much a job outlives the record of its key, milliseconds. */
type StageMinima = RetentionMinima & { readonly jobMarginMs: number };

/** What the contract asks of a deployed stage. */
const DEPLOYED_MINIMA: StageMinima = {
  windowMs: 3_600_000,
  graceMs: 3_600_000,
  reserveMs: 15 * 60_000,
  // TTL removes within days: the job shall outlast its key record all the same.
  jobMarginMs: 3 * 86_400_000,
};
/** One machine: windows of seconds, so that tests can be real. */
const LOCAL_MINIMA: StageMinima = { windowMs: 1_000, graceMs: 1_000, reserveMs: 1, jobMarginMs: 0 };

/** Milliseconds of about 24 days: a timer that is set for longer ends at once. */
const WHOLE_NUMBER_MAX = 2_147_483_647;

/** What a variable must be: the words of every refusal of it. */
const must = (words: string) => ({ error: `must be ${words}` });

function whole(unit: string, fallback: number) {
  const words = must(`a whole number of ${unit}, from 1 to ${WHOLE_NUMBER_MAX}`);
  return z
    .string()
    .regex(/^[0-9]{1,10}$/, words)
    .transform(Number)
    .refine((value) => value >= 1 && value <= WHOLE_NUMBER_MAX, words)
    .default(fallback);
}
const ms = (fallback: number) => whole('milliseconds', fallback);
const named = (what: string, charactersMin = 1) => {
  const least = charactersMin > 1 ? `, at least ${charactersMin} characters` : '';
  return z.string(must(what)).min(charactersMin, must(`${what}${least}`));
};
const table = (what: string) => named(`the name of the table of ${what}`, 3);

const duration = z.string().transform((text, context) => {
  const value = parseDurationMs(text);
  if (value !== undefined) return { text, ms: value };
  const message = 'must be an ISO 8601 duration of days to seconds, such as P30D or PT24H';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
const INSTANT = must('an instant from 1970 on, such as 2026-01-01T00:00:00Z');
const instant = z.iso
  .datetime({ offset: true, ...INSTANT })
  .refine((text) => Date.parse(text) >= 0, INSTANT)
  .transform((text): EpochMs => epochMs(Date.parse(text)));

export const environmentSchema = z.object({
  /** `local` on one machine; anything else is a deployed stage. */
  STAGE: named('the name of the stage'),
  TABLE_IDEMPOTENCY_KEYS: table('idempotency keys'),
  TABLE_EXPORT_JOBS: table('export jobs'),
  TABLE_BUSINESS_KEYS: table('business keys'),
  TABLE_ARTICLES: table('articles'),
  TABLE_NOTIFICATIONS: table('notifications'),
  EXPORTS_BUCKET: named('the name of the bucket of finished files', 3),
  RUN_JOB_FUNCTION: named('the name of the function that runs jobs'),
  /** Retention of keys: dated entries, only ever appended. */
  RETENTION_SCHEDULE: z
    .string()
    .default('[{"from":"2026-01-01T00:00:00Z","window":"PT24H","grace":"PT24H"}]'),
  /** Longer than any write can be under way plus twice the clock error. */
  RETENTION_RESERVE: duration.default({ text: 'PT15M', ms: 15 * 60_000 }),
  /** After a restore: time-stamped keys minted before this instant are refused. */
  ADMIT_NOT_BEFORE: instant.optional(),
  /** How long a job is kept after it finished. */
  JOB_RETENTION: duration.default({ text: 'P30D', ms: 30 * 86_400_000 }),
  /** In front of every path that an answer names: the base path of a custom domain. Empty: none. */
  BASE_PATH: z.string().regex(BASE_PATH_PATTERN, must('a path such as /exports')).default(''),
  /** One attempt of a caller, all tries included. The function has 10 s, the gateway 30 s. */
  CREATE_BUDGET_MS: ms(8_000),
  /** Kept at the end of Lambda's time, to answer in. */
  PLATFORM_RESERVE_MS: ms(500),
  /** Kept of the budget for the last look-up; at most a quarter of it. */
  LOOK_UP_RESERVE_MS: ms(1_000),
  STORE_CONNECT_TIMEOUT_MS: ms(1_000),
  /** One try; a second is what a transaction may need when a partition moves. */
  STORE_TRY_TIMEOUT_MS: ms(1_500),
  STORE_TRIES_MAX: whole('tries', 8),
  /** A full retry budget of one process: a retry takes 5, a success gives 1. */
  STORE_RETRY_TOKENS_MAX: whole('tokens', RETRY_TOKENS_MAX),
  STORE_BACKOFF_BASE_MS: ms(50),
  STORE_BACKOFF_CAP_MS: ms(1_000),
  /** `off` takes the read before the write away; nothing but cost changes. */
  READ_FIRST: z.enum(['on', 'off'], must('on or off')).default('on'),
  LEASE_MS: ms(60_000),
  HEARTBEAT_MS: ms(15_000),
  RUNS_MAX: whole('runs', 5),
  JOB_MARKDOWN_BYTES_MAX: whole('bytes', 50_000_000),
  ARTICLE_RENDER_TIMEOUT_MS: ms(30_000),
  ARTICLE_RENDER_HEAP_MB: whole('megabytes', 512),
  /** Queued longer than this, a job is handed over again. */
  SWEEP_QUEUED_AFTER_MS: ms(120_000),
  /** A lease that is over by this much: its job is handed over again. */
  SWEEP_LEASE_OVERDUE_MS: ms(30_000),
  SWEEP_JOBS_MAX: whole('jobs', 200),
  /** Until a job that was handed over again is looked at once more. */
  SWEEP_PUT_OFF_MS: ms(120_000),
  DOWNLOAD_URL_SECONDS: whole('seconds', 300),
  /** S3 servers on one machine have no host name a bucket. */
  S3_FORCE_PATH_STYLE: z.stringbool(must('true or false')).default(false),
});

/** Names of what a stage is made of: a function that uses none of a kind starts without it. */
const RESOURCES = {
  TABLE_IDEMPOTENCY_KEYS: true,
  TABLE_EXPORT_JOBS: true,
  TABLE_BUSINESS_KEYS: true,
  TABLE_ARTICLES: true,
  TABLE_NOTIFICATIONS: true,
  EXPORTS_BUCKET: true,
  RUN_JOB_FUNCTION: true,
} as const;
export type ResourceName = keyof typeof RESOURCES;
const settingsSchema = environmentSchema.omit(RESOURCES);

type Variables = Readonly<Record<string, string | undefined>>;
type Environment = z.output<typeof settingsSchema>;
export type Settings = Environment & { readonly retention: RetentionPolicy };
export type Config = Settings & Readonly<Record<ResourceName, string>>;

/** Of a wrong value: enough to find it by. */
const VALUE_CHARACTERS_SHOWN = 60;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError with one sentence */
export function readSettings(environment: Variables): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settingsSchema.safeParse(given, { error: plainWords });
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0] ?? 'the environment');
    throw refusal(environment, name, parsed.error);
  }
  const env = parsed.data;
  if (env.STAGE === 'local' && environment.AWS_EXECUTION_ENV?.startsWith('AWS_Lambda')) {
    throw new ConfigError('STAGE must not be "local" on Lambda: it stands for one machine.');
  }
  if (env.HEARTBEAT_MS * 2 > env.LEASE_MS) {
    throw new ConfigError('HEARTBEAT_MS must be at most half of LEASE_MS.');
  }
  return { ...env, retention: retentionPolicy(env) };
}

/**
 * The name of one resource, for the functions that use it.
 * @throws ConfigError with one sentence
 */
export function readResource(environment: Variables, name: ResourceName): string {
  const parsed = environmentSchema.shape[name].safeParse(environment[name] || undefined, {
    error: plainWords,
  });
  if (parsed.success) return parsed.data;
  throw refusal(environment, name, parsed.error);
}

/** All of it, as tools for operators need it. @throws ConfigError with one sentence */
export function readConfig(environment: Variables): Config {
  const of = (name: ResourceName) => readResource(environment, name);
  return {
    ...readSettings(environment),
    TABLE_IDEMPOTENCY_KEYS: of('TABLE_IDEMPOTENCY_KEYS'),
    TABLE_EXPORT_JOBS: of('TABLE_EXPORT_JOBS'),
    TABLE_BUSINESS_KEYS: of('TABLE_BUSINESS_KEYS'),
    TABLE_ARTICLES: of('TABLE_ARTICLES'),
    TABLE_NOTIFICATIONS: of('TABLE_NOTIFICATIONS'),
    EXPORTS_BUCKET: of('EXPORTS_BUCKET'),
    RUN_JOB_FUNCTION: of('RUN_JOB_FUNCTION'),
  };
}

function refusal(environment: Variables, name: string, error: z.ZodError): ConfigError {
  const said = `${name} ${error.issues[0]?.message}`;
  const value = environment[name] || undefined;
  return new ConfigError(
    value === undefined
      ? `${said}, and is not set.`
      : `${said}, not ${JSON.stringify(value.slice(0, VALUE_CHARACTERS_SHOWN))}.`,
  );
}

function retentionPolicy(env: Environment): RetentionPolicy {
  const minima = env.STAGE === 'local' ? LOCAL_MINIMA : DEPLOYED_MINIMA;
  const schedule = parseRetentionSchedule(env.RETENTION_SCHEDULE, minima);
  if (schedule.kind === 'refused') {
    throw new ConfigError(`RETENTION_SCHEDULE is not valid: ${schedule.sentence}.`);
  }
  if (env.RETENTION_RESERVE.ms < minima.reserveMs) {
    throw new ConfigError(
      `RETENTION_RESERVE must be at least ${minima.reserveMs / 60_000} min on a deployed stage.`,
    );
  }
  const keptMs = Math.max(...schedule.value.map(({ windowMs, graceMs }) => windowMs + graceMs));
  if (env.JOB_RETENTION.ms <= keptMs + minima.jobMarginMs) {
    throw new ConfigError(
      minima.jobMarginMs > 0
        ? `JOB_RETENTION must be longer than every window plus its grace by ${minima.jobMarginMs / 3_600_000} h.`
        : 'JOB_RETENTION must be longer than every window plus its grace.',
    );
  }
  const shortestGraceMs = Math.min(...schedule.value.map(({ graceMs }) => graceMs));
  if (env.STAGE !== 'local' && 2 * env.RETENTION_RESERVE.ms >= shortestGraceMs) {
    throw new ConfigError('RETENTION_RESERVE must be under half of every grace.');
  }
  return {
    schedule: schedule.value,
    reserveMs: env.RETENTION_RESERVE.ms,
    reserve: env.RETENTION_RESERVE.text,
    ...(env.ADMIT_NOT_BEFORE !== undefined && { admitNotBeforeMs: env.ADMIT_NOT_BEFORE }),
  };
}
