// Answers as the document shows them: their headers, and the problems of each status. The status of a code
// and whether it comes with Retry-After are the catalogue's, which the edge uses, too: the two cannot differ.

import * as z from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { PROBLEM_CONTENT_TYPE, problemSchema } from '#contract/problem.ts';
import { PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';

const header = (id: string, description: string, schema: z.ZodType<string> = z.string()) =>
  schema.meta({ description, header: { id } });

const requestId = header('XRequestId', 'The request ID of this attempt: yours, or one of ours.');
const retryAfter = header(
  'RetryAfter',
  'Seconds, whole, at least 1, with jitter.',
  z.string().regex(/^[1-9][0-9]*$/),
);

/** Headers by name; those that not every answer of the status has are optional. */
export const RESPONSE_HEADERS = {
  etag: { ETag: header('ETag', 'Entity tag (RFC 9110).', z.string().regex(/^"[^"]+"$/)) },
  location: { Location: header('Location', 'Path of what was made, or URL of the file.') },
  created: {
    'Idempotent-Replayed': header(
      'IdempotentReplayed',
      '`true`: the answer of an earlier attempt, given again.',
      z.enum(['true', 'false']),
    ),
    'Idempotency-Expires': header(
      'IdempotencyExpires',
      'Until when this key replays: an IMF-fixdate, the same on every answer.',
    ),
  },
  preferenceApplied: {
    'Preference-Applied': header('PreferenceApplied', 'The wait that was applied.').exactOptional(),
  },
  retryAfterWhileUnfinished: { 'Retry-After': retryAfter.exactOptional() },
} as const;

type Headers = Readonly<Record<string, z.ZodType>>;

/** @param headers sets of RESPONSE_HEADERS */
export function answer(
  description: string,
  schema?: z.ZodType,
  headers: Headers = {},
): ZodOpenApiResponseObject {
  return {
    description,
    headers: z.object({ 'X-Request-Id': requestId, ...headers }),
    ...(schema && { content: { 'application/json': { schema } } }),
  };
}

export function page(description: string): ZodOpenApiResponseObject {
  return { ...answer(description), content: { 'text/html': { schema: z.string() } } };
}

/** What the gateway answers by itself. */
const gatewayMessageSchema = z
  .object({ message: z.string() })
  .meta({ id: 'GatewayMessage', description: 'An answer of the gateway: no function ran.' });

/** What any operation of callers may answer. */
const OF_EVERY_CALL = [
  'deadline-invalid',
  'unauthenticated',
  'internal-error',
  'store-unavailable',
  'clock-untrusted',
  'deadline-passed',
] as const satisfies readonly ProblemCode[];

/** One response a status, each naming its codes. */
export function problems(
  ...codes: readonly ProblemCode[]
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  return problemResponses([...OF_EVERY_CALL, ...codes]);
}

/** The answers to HEAD: as those to GET, without their bodies. */
export function withoutBodies(responses: ZodOpenApiResponsesObject): ZodOpenApiResponsesObject {
  const heads: ZodOpenApiResponsesObject = {};
  for (const [status, response] of Object.entries(responses)) {
    const { content: _, ...head } = response;
    Object.assign(heads, { [status]: head });
  }
  return heads;
}

export function problemResponses(
  codes: readonly ProblemCode[],
): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, among]) => [`${status}`, problemResponse(status, among)]),
  );
}

function problemResponse(status: number, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  const waits = codes.filter((code) => PROBLEMS[code].retryAfterMs !== undefined);
  const schema = z.intersection(
    problemSchema,
    z.object({ status: z.literal(status), code: z.enum(codes) }),
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: z.object({
      // The gateway's own 401 is no attempt, and carries no request ID of ours.
      'X-Request-Id': status === 401 ? requestId.exactOptional() : requestId,
      ...(waits.length > 0 && {
        'Retry-After': waits.length === codes.length ? retryAfter : retryAfter.exactOptional(),
      }),
      ...(codes.includes('precondition-failed') && {
        ETag: RESPONSE_HEADERS.etag.ETag.exactOptional(),
      }),
    }),
    content: {
      [PROBLEM_CONTENT_TYPE]: { schema },
      ...(status === 401 && { 'application/json': { schema: gatewayMessageSchema } }),
    },
  };
}
