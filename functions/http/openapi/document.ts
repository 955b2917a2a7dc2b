// The OpenAPI 3.1 document of the service, made from the schemas that the routes themselves use. Says
// nothing that they do not enforce; a test holds real answers of every route against it.

import { createDocument } from 'zod-openapi';
import { openApiPaths } from '#http/openapi/paths.ts';

/** Version of the contract, not of the code: moves when something that callers see does. */
const CONTRACT_VERSION = '1.0.0';

const DESCRIPTION = `An article export service whose callers may retry anything, at any time, and never get a second job.

An **intent** is one business wish; an **attempt** is one request on the wire. The \`Idempotency-Key\` names the intent and is the same on every attempt. After a timeout, a broken connection or a 5xx: send the same request with the same key again.

Every error of the service is \`application/problem+json\` (RFC 9457). On operations with a key, \`executed\` says whether this attempt took effect, \`intent\` what is known of the intent as a whole, and \`retry\` what to do: \`same-key\`, \`new-key\` or \`no\`. \`type\` links to a page about the code.

A path that is served under other methods answers 405 \`method-not-allowed\`, with them in \`Allow\`.

What is not problem+json comes from the gateway: its 401, 403, 413 and 431 mean that the attempt did not run; its 429 and 5xx are unknown outcomes.

Answers may gain members: read those that you know.`;

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** @param base path that everything is served below; empty for none */
export function openApiDocument(base = ''): OpenApiDocument {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'export-once',
        version: CONTRACT_VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // Without a base path of ours: where the document was read, wherever a proxy has put it.
      servers: [{ url: base || '.', description: 'Where this document was read from.' }],
      security: [{ bearer: [] }],
      tags: [
        { name: 'Export jobs', description: 'One job for one intent.' },
        { name: 'Intents', description: 'What became of an intent, by its key.' },
        { name: 'Articles', description: 'The material of exports.' },
        { name: 'Public', description: 'Without a token.' },
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: '`iss` and `sub` together are the caller; everything belongs to one.',
          },
        },
      },
      paths: openApiPaths(),
    },
    { override: ({ jsonSchema, io }) => loosen(jsonSchema, io) },
  );
}

/** Answers may gain members; bounds that say "a safe integer" and a page of date digits say nothing. */
function loosen(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
