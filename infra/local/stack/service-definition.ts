// Reads serverless.yml as far as one machine needs it: functions, their routes, streams, schedules
// and environment. Promises: what is served here is what is deployed; a form of serverless.yml that
// is not understood is refused with a sentence, never skipped.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { Sentence } from '#local/stack/sentence.ts';
import type { FilterPattern } from '#local/stream/event-filter.ts';

export interface Route {
  readonly method: string;
  /** `/v1/articles/{articleId}`, or `$default`. */
  readonly path: string;
  readonly authorized: boolean;
}

export interface StreamSource {
  readonly table: string;
  readonly batchSize: number;
  readonly retriesMax: number;
  readonly recordAgeMaxS: number;
  readonly bisect: boolean;
  readonly reportsItemFailures: boolean;
  readonly filterPatterns: readonly FilterPattern[];
}

export interface FunctionDefinition {
  /** The key in serverless.yml. */
  readonly key: string;
  /** The name that the Lambda API knows. */
  readonly name: string;
  readonly file: string;
  readonly exportName: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Async invocations at the same time; undefined: no limit. */
  readonly concurrency: number | undefined;
  readonly routes: readonly Route[];
  readonly streams: readonly StreamSource[];
  readonly scheduleMs: readonly number[];
  /** Literal values only: what names a resource is decided by the local stack. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface ServiceDefinition {
  readonly functions: readonly FunctionDefinition[];
}

/** Stage name of everything that runs on one machine. */
export const LOCAL_STAGE = 'local';

const httpApiSchema = z.union([
  z.string(),
  z.object({ method: z.string(), path: z.string(), authorizer: z.unknown().optional() }),
]);
const streamSchema = z.object({
  arn: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('StreamArn')]) }),
  type: z.literal('dynamodb'),
  startingPosition: z.literal('TRIM_HORIZON'),
  batchSize: z.number().default(100),
  maximumRetryAttempts: z.number().default(-1),
  maximumRecordAgeInSeconds: z.number().default(-1),
  bisectBatchOnFunctionError: z.boolean().default(false),
  functionResponseType: z.literal('ReportBatchItemFailures').optional(),
  filterPatterns: z.array(z.record(z.string(), z.unknown())).default([]),
});
const scheduleSchema = z.union([
  z.string(),
  z.object({ rate: z.union([z.string(), z.array(z.string())]) }),
]);
const eventSchema = z.union([
  z.strictObject({ httpApi: httpApiSchema }),
  z.strictObject({ stream: streamSchema }),
  z.strictObject({ schedule: scheduleSchema }),
]);
const environmentSchema = z.record(z.string(), z.unknown()).default({});
const serviceSchema = z.object({
  service: z.string(),
  params: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  provider: z.object({
    timeout: z.number().default(6),
    memorySize: z.number().default(1024),
    environment: environmentSchema,
  }),
  functions: z.record(
    z.string(),
    z.object({
      handler: z.string(),
      name: z.string().optional(),
      timeout: z.number().optional(),
      memorySize: z.number().optional(),
      reservedConcurrency: z.unknown().optional(),
      environment: environmentSchema,
      events: z.array(eventSchema).default([]),
    }),
  ),
});

/** @throws Sentence when the file is missing or says something this room does not understand */
export function readServiceDefinition(file: string): ServiceDefinition {
  const yaml = parseService(file);
  const values: Values = {
    'self:service': yaml.service,
    'sls:stage': LOCAL_STAGE,
    ...prefixed('param:', { ...yaml.params.default, ...yaml.params[LOCAL_STAGE] }),
  };
  const functions = Object.entries(yaml.functions).map(([key, from]): FunctionDefinition => {
    const [, path, exportName] = /^(.+)\.(\w+)$/.exec(from.handler) ?? [];
    if (path === undefined || exportName === undefined) {
      throw new Sentence(`${file}: the handler of ${key} is not of the form path/file.export.`);
    }
    const reserved = Number(literal(from.reservedConcurrency, values));
    const events = from.events;
    return {
      key,
      name: literal(from.name, values) ?? `${yaml.service}-${LOCAL_STAGE}-${key}`,
      file: resolve(dirname(file), `${path}.ts`),
      exportName,
      timeoutMs: (from.timeout ?? yaml.provider.timeout) * 1000,
      memoryMb: from.memorySize ?? yaml.provider.memorySize,
      concurrency: Number.isInteger(reserved) && reserved > 0 ? reserved : undefined,
      routes: events.flatMap((event) => ('httpApi' in event ? [toRoute(event.httpApi)] : [])),
      streams: events.flatMap((event) => ('stream' in event ? [toStream(event.stream)] : [])),
      scheduleMs: events.flatMap((event) => ('schedule' in event ? toRates(event.schedule) : [])),
      environment: literals({ ...yaml.provider.environment, ...from.environment }, values),
    };
  });
  return { functions };
}

function parseService(file: string): z.infer<typeof serviceSchema> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Sentence(`${file} cannot be read: no functions to serve.`);
  }
  const result = serviceSchema.safeParse(parse(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Sentence(
    `${file}: ${issue?.path.join('.') || 'the whole file'} is not understood by the local stack.`,
  );
}

type Values = Readonly<Record<string, unknown>>;

function prefixed(prefix: string, values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, v]) => [`${prefix}${name}`, v]));
}

/** Resolves `${param:x}`, `${sls:stage}` and `${self:service}`; undefined when it names a resource. */
function literal(value: unknown, values: Values, depth = 0): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || depth > 5) return undefined;
  let known = true;
  const text = value.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    const inner = literal(values[name.trim()], values, depth + 1);
    known &&= inner !== undefined;
    return inner ?? '';
  });
  return known ? text : undefined;
}

function literals(from: Values, values: Values): Record<string, string> {
  const entries = Object.entries(from).map(([name, value]) => [name, literal(value, values)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function toRoute(from: z.infer<typeof httpApiSchema>): Route {
  if (typeof from === 'string') {
    const [method = '', path] = from.split(' ');
    if (from === '*' || from === '$default')
      return { method: '*', path: '$default', authorized: false };
    return { method: method.toUpperCase(), path: path ?? method, authorized: false };
  }
  return {
    method: from.method.toUpperCase(),
    path: from.path,
    authorized: from.authorizer !== undefined,
  };
}

function toStream(from: z.infer<typeof streamSchema>): StreamSource {
  return {
    table: from.arn['Fn::GetAtt'][0],
    batchSize: from.batchSize,
    retriesMax:
      from.maximumRetryAttempts < 0 ? Number.POSITIVE_INFINITY : from.maximumRetryAttempts,
    recordAgeMaxS:
      from.maximumRecordAgeInSeconds < 0
        ? Number.POSITIVE_INFINITY
        : from.maximumRecordAgeInSeconds,
    bisect: from.bisectBatchOnFunctionError,
    reportsItemFailures: from.functionResponseType === 'ReportBatchItemFailures',
    filterPatterns: from.filterPatterns as FilterPattern[],
  };
}

const UNIT_MS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

function toRates(from: z.infer<typeof scheduleSchema>): number[] {
  return [typeof from === 'string' ? from : from.rate].flat().map((rate) => {
    const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(rate) ?? [];
    if (count === undefined || unit === undefined) {
      throw new Sentence(`The schedule ${rate} is not understood by the local stack: use rate(…).`);
    }
    return Number(count) * (UNIT_MS[unit] ?? 0);
  });
}
