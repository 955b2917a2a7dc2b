// Holds one answer against the published document: status, media type, headers, body. Stricter than a
// client may be: a member or a header of ours that the document does not name is a fault here.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answered } from '#test/support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document as anyone reads it, from JSON
export type OpenApiJson = any;

/** Headers of every answer that the document does not repeat. */
const UNNAMED_HEADERS = new Set([
  'cache-control',
  'content-type',
  'content-security-policy',
  'referrer-policy',
  'vary',
  'x-content-type-options',
]);

export type AnswerFaults = (route: string, answer: Omit<Answered, 'body'>) => string[];

/** @param document as served, parsed */
export function openApiValidator(document: OpenApiJson): AnswerFaults {
  const closed = closeObjects(structuredClone(document));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'doc', ...closed });
  const resolve = (value: OpenApiJson) =>
    value.$ref === undefined ? value : at(closed, value.$ref.slice(2).split('/'));

  return (route, { status, headers, text }) => {
    const [method = '', path = ''] = route.split(' ');
    const response = closed.paths[path]?.[method.toLowerCase()]?.responses?.[status];
    if (response === undefined) return [`${route} ${status} is not in the document`];
    const faults = headerFaults(response.headers ?? {}, headers);
    const type = headers['content-type']?.split(';')[0];
    if (response.content === undefined) {
      return text === '' || method === 'HEAD' ? faults : [...faults, 'a body that is not named'];
    }
    if (!(type !== undefined && type in response.content)) return [...faults, `as ${type}`];
    const place = ['paths', path, method.toLowerCase(), 'responses', `${status}`, 'content', type];
    const schema = { $ref: `doc#/${[...place, 'schema'].map(escapePointer).join('/')}` };
    const valid = ajv.validate(schema, type.endsWith('json') ? JSON.parse(text) : text);
    return valid ? faults : [...faults, ajv.errorsText()];
  };

  function headerFaults(named: OpenApiJson, sent: Readonly<Record<string, string>>): string[] {
    const byName = new Map(
      Object.entries<OpenApiJson>(named).map(([name, each]) => [name.toLowerCase(), resolve(each)]),
    );
    const missing = [...byName].flatMap(([name, { required }]) =>
      required && sent[name] === undefined ? [`header ${name} is missing`] : [],
    );
    const wrong = Object.entries(sent).flatMap(([name, value]) => {
      if (UNNAMED_HEADERS.has(name) || name.startsWith('access-control-')) return [];
      const header = byName.get(name);
      if (header === undefined) return [`header ${name} is not in the document`];
      return ajv.validate(header.schema, value) ? [] : [`header ${name}: ${ajv.errorsText()}`];
    });
    return [...missing, ...wrong];
  }
}

/** Every operation with its route, `POST /v1/export-jobs`. */
export function operationsOf(document: OpenApiJson) {
  return Object.entries<OpenApiJson>(document.paths).flatMap(([path, methods]) =>
    Object.entries<OpenApiJson>(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

/** No member that the document does not name; `allOf` together names what its parts name. */
function closeObjects(node: OpenApiJson): OpenApiJson {
  if (Array.isArray(node)) {
    for (const each of node) closeObjects(each);
  } else if (typeof node === 'object' && node !== null) {
    for (const each of Object.values(node)) closeObjects(each);
    const isSchema = node.type === 'object' && node.properties !== undefined;
    if (isSchema && node.additionalProperties === undefined) node.unevaluatedProperties = false;
    if (node.allOf) {
      // Closed as a whole: each part alone would refuse the members of the others.
      node.unevaluatedProperties = false;
      node.allOf = node.allOf.map(({ unevaluatedProperties: _, ...part }: OpenApiJson) => part);
    }
  }
  return node;
}

function at(document: OpenApiJson, path: readonly string[]): OpenApiJson {
  return path.reduce((node, name) => node[name], document);
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
