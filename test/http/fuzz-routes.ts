// Every HTTP route over the ports that a test gives it.

import type { Edge, Route } from '#http/edge-parts.ts';
import { abandonOperationRoute } from '#http/routes/abandon-operation.ts';
import { answerPreflightRoute } from '#http/routes/answer-preflight.ts';
import { answerUnknownRoute } from '#http/routes/answer-unknown-route.ts';
import {
  deleteArticleRoute,
  listArticlesRoute,
  putArticleRoute,
  readArticleRoute,
} from '#http/routes/articles.ts';
import { cancelExportJobRoute } from '#http/routes/cancel-export-job.ts';
import { createExportJobRoute } from '#http/routes/create-export-job.ts';
import { getCapabilitiesRoute } from '#http/routes/get-capabilities.ts';
import { getExportFileRoute } from '#http/routes/get-export-file.ts';
import { getExportJobRoute } from '#http/routes/get-export-job.ts';
import { listExportJobsRoute } from '#http/routes/list-export-jobs.ts';
import { lookUpOperationRoute } from '#http/routes/look-up-operation.ts';
import { readDocsRoute } from '#http/routes/read-docs.ts';
import type { Ports } from '#test/http/fuzz-ports.ts';

export function routesOf(
  { commits, records, jobs, leases, articles, files }: Ports,
  parts: Edge,
  { jobRetentionMs, origins }: { jobRetentionMs: number; origins: readonly string[] },
): Record<string, Route> {
  const docs = readDocsRoute();
  return {
    'POST /v1/export-jobs': createExportJobRoute(commits, parts),
    'GET /v1/export-jobs': listExportJobsRoute(jobs, parts),
    'GET /v1/export-jobs/{jobId}': getExportJobRoute(jobs, parts),
    'POST /v1/export-jobs/{jobId}/cancel': cancelExportJobRoute(
      { jobs, leases },
      parts,
      jobRetentionMs,
    ),
    'GET /v1/export-jobs/{jobId}/file': getExportFileRoute({ jobs, files }, parts, 300),
    'GET /v1/operations/{key}': lookUpOperationRoute(records, parts),
    'POST /v1/operations/{key}/abandon': abandonOperationRoute(records, parts),
    'PUT /v1/articles/{articleId}': putArticleRoute(articles, parts),
    'GET /v1/articles/{articleId}': readArticleRoute(articles, parts),
    'HEAD /v1/articles/{articleId}': readArticleRoute(articles, parts),
    'DELETE /v1/articles/{articleId}': deleteArticleRoute(articles, parts),
    'GET /v1/articles': listArticlesRoute(articles, parts),
    'GET /v1/capabilities': getCapabilitiesRoute(parts, { text: 'P30D', ms: 2_592_000_000 }),
    'GET /docs': docs,
    'GET /docs/{asset}': docs,
    'GET /problems/{code}': docs,
    'OPTIONS /{proxy+}': answerPreflightRoute(origins),
    $default: answerUnknownRoute,
  };
}
