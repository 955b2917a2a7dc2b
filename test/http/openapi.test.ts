// The document itself: served as it is made, naming every route and every code, and held by a validator
// that can say no.

import { beforeAll, describe, expect, it } from 'vitest';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import { openApiDocument } from '#http/openapi/document.ts';
import { readServiceDefinition } from '#local/stack/service-definition.ts';
import { type OpenApiJson, openApiValidator, operationsOf } from '#test/http/openapi-validator.ts';
import { startService } from '#test/support/service.ts';

describe('GET /openapi.json', () => {
  let document: OpenApiJson;
  beforeAll(async () => {
    const service = await startService();
    const answer = await service.call('GET /openapi.json');
    service.close();
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    document = answer.body;
  });

  it('answers the document that is made from the schemas, as OpenAPI 3.1', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
    expect(document.openapi).toBe('3.1.0');
  });

  it('names every route that the gateway serves, and no other', () => {
    const { functions } = readServiceDefinition('serverless.yml');
    const served = functions
      .flatMap(({ routes }) => routes)
      .filter(({ method, path }) => method !== 'OPTIONS' && path !== '$default')
      .map(({ method, path }) => `${method} ${path}`)
      // Style and script of the page: files of ours, no contract.
      .filter((route) => route !== 'GET /docs/{asset}');
    const named = operationsOf(document).map(({ route }) => route);

    expect(named.sort()).toEqual(served.sort());
  });

  it('asks for a token exactly where the gateway does', () => {
    const { functions } = readServiceDefinition('serverless.yml');
    const authorized = functions
      .flatMap(({ routes }) => routes)
      .filter(({ authorized }) => authorized)
      .map(({ method, path }) => `${method} ${path}`);
    const named = operationsOf(document)
      .filter(({ operation }) => operation.security?.length !== 0)
      .map(({ route }) => route);

    expect(document.security).toEqual([{ bearer: [] }]);
    expect(named.sort()).toEqual(authorized.sort());
  });

  it('names every problem code under its status', () => {
    const named = new Set<string>();
    for (const { operation } of operationsOf(document)) {
      for (const [status, response] of Object.entries<OpenApiJson>(operation.responses)) {
        const schema = response.content?.['application/problem+json']?.schema;
        for (const code of schema?.allOf[1].properties.code.enum ?? []) {
          named.add(code);
          expect(`${code} ${PROBLEMS[code as ProblemCode].status}`).toBe(`${code} ${status}`);
        }
      }
    }

    expect([...named].sort()).toEqual([...PROBLEM_CODES].sort());
  });

  it('is held by a validator that refuses what the document does not say', () => {
    const faults = openApiValidator(document);
    const receipt = {
      id: '019a4f5e-8c00-7d3a-9b1c-2f6f1c0e7a11',
      status: 'queued',
      createdAt: '2026-01-01T00:00:00.000Z',
      keyExpiresAt: '2026-01-02T00:00:00.000Z',
      links: { self: '/v1/export-jobs/x' },
    };
    const headers = {
      'content-type': 'application/json',
      'x-request-id': 'r',
      location: '/v1/export-jobs/x',
      'idempotent-replayed': 'false',
      'idempotency-expires': 'Fri, 02 Jan 2026 00:00:00 GMT',
    };
    const answer = (body: object, more = {}) =>
      faults('POST /v1/export-jobs', {
        status: 202,
        headers: { ...headers, ...more },
        text: JSON.stringify(body),
      });
    const { location: _, ...withoutLocation } = headers;

    expect(answer(receipt)).toEqual([]);
    expect(answer({ ...receipt, extra: 1 })).not.toEqual([]);
    expect(answer({ ...receipt, links: { self: '/', other: '/' } })).not.toEqual([]);
    expect(answer({ ...receipt, status: 'running' })).not.toEqual([]);
    expect(answer({ ...receipt, createdAt: 'yesterday' })).not.toEqual([]);
    expect(answer(receipt, { 'idempotent-replayed': 'maybe' })).not.toEqual([]);
    expect(answer(receipt, { 'x-new': '1' })).not.toEqual([]);
    expect(answer(receipt, { 'content-type': 'text/plain' })).not.toEqual([]);
    expect(
      faults('POST /v1/export-jobs', {
        status: 202,
        headers: withoutLocation,
        text: JSON.stringify(receipt),
      }),
    ).not.toEqual([]);
    expect(faults('POST /v1/export-jobs', { status: 201, headers, text: '' })).not.toEqual([]);
    expect(
      faults('POST /v1/export-jobs', {
        status: 409,
        headers: { 'content-type': 'application/problem+json', 'x-request-id': 'r' },
        text: JSON.stringify({
          type: '/problems/file-gone',
          title: 't',
          status: 409,
          detail: 'd',
          code: 'file-gone',
          requestId: 'r',
        }),
      }),
    ).not.toEqual([]);
  });
});
