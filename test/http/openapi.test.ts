// The document itself: served as it is made, naming every route and every code, and held by a validator
// that can say no.

import { beforeAll, describe, expect, it } from 'vitest';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '#contract/problem-catalogue.ts';
import { ROUTES, type RouteEntry, routeKeysOf } from '#contract/routes.ts';
import { openApiDocument } from '#http/openapi/document.ts';
import { type OpenApiJson, openApiValidator, operationsOf } from '#test/http/openapi-validator.ts';
import { startService } from '#test/support/service.ts';

const ENTRIES: readonly RouteEntry[] = Object.values(ROUTES);

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

  it('names every route of the list, and no file of the page', () => {
    const contract = ENTRIES.filter(({ answers }) => answers !== 'asset');
    const named = operationsOf(document).map(({ route }) => route);

    expect(named.sort()).toEqual(contract.flatMap(routeKeysOf).sort());
  });

  it('names each operation once, HEAD apart from its GET', () => {
    const names = operationsOf(document).map(({ operation }) => operation.operationId);

    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('headArticle');
  });

  it('asks for a token exactly where a route is for callers', () => {
    const forCallers = ENTRIES.filter(({ access }) => access === 'caller');
    const named = operationsOf(document)
      .filter(({ operation }) => operation.security?.length !== 0)
      .map(({ route }) => route);

    expect(document.security).toEqual([{ bearer: [] }]);
    expect(named.sort()).toEqual(forCallers.flatMap(routeKeysOf).sort());
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

    // No operation answers it: it is what a path says of a method that is none of its own.
    named.add('method-not-allowed');
    expect(document.info.description).toContain('`method-not-allowed`');
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
