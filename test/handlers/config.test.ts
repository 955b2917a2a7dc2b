import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  environmentSchema,
  readConfig,
  readResource,
  readSettings,
} from '#handlers/config.ts';

const NEEDED = {
  STAGE: 'prod',
  TABLE_IDEMPOTENCY_KEYS: 'IdempotencyKeys',
  TABLE_EXPORT_JOBS: 'ExportJobs',
  TABLE_BUSINESS_KEYS: 'BusinessKeys',
  TABLE_ARTICLES: 'Articles',
  TABLE_NOTIFICATIONS: 'Notifications',
  EXPORTS_BUCKET: 'exports',
  RUN_JOB_FUNCTION: 'run-job',
};
const schedule = (window: string, grace: string) =>
  `[{"from":"2026-01-01T00:00:00Z","window":"${window}","grace":"${grace}"}]`;

const refusalOf = (environment: Record<string, string | undefined>): string | undefined => {
  try {
    readConfig(environment);
    return undefined;
  } catch (error) {
    return error instanceof ConfigError ? error.message : `a bare ${error}`;
  }
};

describe('the configuration', () => {
  it('has the defaults of the design', () => {
    expect(readConfig(NEEDED)).toMatchObject({
      CREATE_BUDGET_MS: 8_000,
      PLATFORM_RESERVE_MS: 500,
      LOOK_UP_RESERVE_MS: 1_000,
      STORE_CONNECT_TIMEOUT_MS: 1_000,
      STORE_TRY_TIMEOUT_MS: 1_500,
      STORE_TRIES_MAX: 8,
      STORE_RETRY_TOKENS_MAX: 500,
      STORE_BACKOFF_BASE_MS: 50,
      STORE_BACKOFF_CAP_MS: 1_000,
      LEASE_MS: 60_000,
      HEARTBEAT_MS: 15_000,
      RUNS_MAX: 5,
      JOB_MARKDOWN_BYTES_MAX: 50_000_000,
      ARTICLE_RENDER_TIMEOUT_MS: 30_000,
      ARTICLE_RENDER_HEAP_MB: 512,
      SWEEP_QUEUED_AFTER_MS: 120_000,
      SWEEP_LEASE_OVERDUE_MS: 30_000,
      SWEEP_JOBS_MAX: 200,
      DOWNLOAD_URL_SECONDS: 300,
      READ_FIRST: 'on',
      BASE_PATH: '',
      JOB_RETENTION: { text: 'P30D', ms: 30 * 86_400_000 },
      retention: {
        schedule: [{ windowMs: 86_400_000, graceMs: 86_400_000 }],
        reserveMs: 900_000,
      },
    });
  });

  it.each(Object.keys(NEEDED))('stops the start when %s is not set', (name) => {
    const { [name as keyof typeof NEEDED]: _, ...rest } = NEEDED;

    const said = new RegExp(`^${name} must be [^\\n]*, and is not set\\.$`);
    expect(() => readConfig(rest)).toThrow(said);
    expect(() => readConfig({ ...NEEDED, [name]: '' })).toThrow(said);
  });

  it.each([
    ['CREATE_BUDGET_MS', '0'],
    ['CREATE_BUDGET_MS', '1.5'],
    ['CREATE_BUDGET_MS', '2147483648'],
    ['CREATE_BUDGET_MS', '8e3'],
    ['LEASE_MS', 'soon'],
    ['TABLE_ARTICLES', 'ab'],
    ['BASE_PATH', 'exports'],
    ['BASE_PATH', '/exports/'],
    ['RETENTION_RESERVE', '15m'],
    ['RETENTION_RESERVE', 'PT14M59S'],
    ['JOB_RETENTION', 'P1M'],
    ['JOB_RETENTION', 'PT48H'],
    ['ADMIT_NOT_BEFORE', 'yesterday'],
    ['ADMIT_NOT_BEFORE', '1969-12-31T23:59:59.999Z'],
    ['READ_FIRST', 'maybe'],
    ['S3_FORCE_PATH_STYLE', 'perhaps'],
    ['RETENTION_SCHEDULE', '[]'],
    ['RETENTION_SCHEDULE', schedule('PT24H', 'PT24H').replace('2026', '1969')],
    ['RETENTION_SCHEDULE', schedule('PT59M', 'PT24H')],
    ['RETENTION_SCHEDULE', schedule('PT24H', 'PT59M')],
  ])('stops the start with one sentence for %s=%s', (name, value) => {
    expect(() => readConfig({ ...NEEDED, [name]: value })).toThrow(
      new RegExp(`^${name} (is|must)[^\\n]*\\.$`),
    );
  });

  it.each([
    ['LEASE_MS', 'soon', 'a whole number of milliseconds, from 1 to 2147483647, not "soon"'],
    [
      'JOB_RETENTION',
      'P1M',
      'an ISO 8601 duration of days to seconds, such as P30D or PT24H, not "P1M"',
    ],
    ['READ_FIRST', 'maybe', 'on or off, not "maybe"'],
    ['S3_FORCE_PATH_STYLE', 'perhaps', 'true or false, not "perhaps"'],
  ])('says of %s=%s what it must be', (name, value, words) => {
    expect(() => readConfig({ ...NEEDED, [name]: value })).toThrow(`${name} must be ${words}.`);
  });

  it('never says a word of a library, whatever a variable is', () => {
    const names = Object.keys(environmentSchema.shape);
    const foreign = /Invalid|expected|received|Too (small|big)|NaN|undefined|option/;

    for (const name of names) {
      for (const value of [undefined, '?', '-1', '0', '[{"from":1}]', 'x'.repeat(300)]) {
        const said = refusalOf({ ...NEEDED, [name]: value });
        if (said !== undefined) expect(said).toMatch(/^[A-Z0-9_]+ (is|must)[^\n]*\.$/);
        expect(said ?? '').not.toMatch(foreign);
      }
    }
  });

  it.each([
    ['CREATE_BUDGET_MS', '1', 1],
    ['CREATE_BUDGET_MS', '2147483647', 2_147_483_647],
    ['ADMIT_NOT_BEFORE', '1970-01-01T00:00:00Z', 0],
  ] as const)('takes %s=%s, the outermost', (name, value, read) => {
    expect(readConfig({ ...NEEDED, [name]: value })[name]).toBe(read);
  });

  it('takes the minima of a deployed stage, and windows of a second on one machine', () => {
    const least = { ...NEEDED, RETENTION_SCHEDULE: schedule('PT1H', 'PT1H') };
    const local = {
      ...NEEDED,
      STAGE: 'local',
      RETENTION_SCHEDULE: schedule('PT1S', 'PT1S'),
      RETENTION_RESERVE: 'PT1S',
    };

    expect(readConfig(least).retention.schedule[0].windowMs).toBe(3_600_000);
    expect(readConfig(local).retention.schedule[0].windowMs).toBe(1_000);
    expect(() => readConfig({ ...local, RETENTION_SCHEDULE: schedule('PT0.9S', 'PT1S') })).toThrow(
      /entry 1/,
    );
  });

  it('reads an empty floor as none', () => {
    const config = readConfig({ ...NEEDED, ADMIT_NOT_BEFORE: '' });

    expect(config.retention).not.toHaveProperty('admitNotBeforeMs');
  });

  it.each(['', '/exports', '/a/b.c', '/~x'])('takes %j as a base path', (path) => {
    expect(readConfig({ ...NEEDED, BASE_PATH: path }).BASE_PATH).toBe(path);
  });

  it.each([
    'exports',
    '/',
    '/exports/',
    '//x',
    '/a/../b',
    '/.',
    '/a b',
    'https://x.example/y',
    '/a?b',
  ])('refuses %j as a base path', (path) => {
    expect(refusalOf({ ...NEEDED, BASE_PATH: path })).toBe(
      `BASE_PATH must be a path such as /exports, not "${path}".`,
    );
  });

  it('of a function that uses no table needs the name of none', () => {
    expect(readSettings({ STAGE: 'prod' })).toMatchObject({ CREATE_BUDGET_MS: 8_000 });
    expect(() => readResource({ STAGE: 'prod' }, 'EXPORTS_BUCKET')).toThrow(
      /^EXPORTS_BUCKET must be .*, and is not set\.$/,
    );
  });
});
