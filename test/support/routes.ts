// Every route of the list over the ports that a test gives: an operation without its route does not compile.

import { OPERATIONS, type Operation, routeKeysOf } from '#contract/routes.ts';
import type { ArticlePort } from '#export-jobs/article.ts';
import type { ExportJobCommitPort } from '#export-jobs/create-port.ts';
import type { FilePort } from '#export-jobs/file-port.ts';
import type { JobLeasePort } from '#export-jobs/job-lease-port.ts';
import type { JobReadPort } from '#export-jobs/job-read-port.ts';
import type { Settings } from '#handlers/config.ts';
import type { Edge, Route } from '#http/edge-parts.ts';
import { abandonOperationRoute } from '#http/routes/abandon-operation.ts';
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
import { docsRoutes } from '#http/routes/read-docs.ts';
import { serve } from '#http/serve.ts';
import type { AbandonPort } from '#idempotency/commit-port.ts';

export type Ports = {
  readonly commits: ExportJobCommitPort;
  readonly records: AbandonPort;
  readonly jobs: JobReadPort;
  readonly leases: JobLeasePort;
  readonly articles: ArticlePort;
  readonly files: Pick<FilePort, 'fileExists' | 'downloadUrl'>;
};

/** One handler a route key, `$default` among them, each as its Lambda entry makes it. */
export function handlersOf(
  ports: Ports,
  edge: Edge,
  settings: Pick<Settings, 'JOB_RETENTION' | 'DOWNLOAD_URL_SECONDS'>,
): ReadonlyMap<string, ReturnType<typeof serve>> {
  const routes = routesOf(ports, edge, settings);
  const all = [...OPERATIONS.map((operation) => routes[operation]), answerUnknownRoute(edge)];
  return new Map(
    all.flatMap((route) => routeKeysOf(route).map((key) => [key, serve(edge, route)] as const)),
  );
}

function routesOf(
  { commits, records, jobs, leases, articles, files }: Ports,
  edge: Edge,
  settings: Pick<Settings, 'JOB_RETENTION' | 'DOWNLOAD_URL_SECONDS'>,
): Readonly<Record<Operation, Route>> {
  const [getOpenApi, getDocs, getDocsAsset, getProblem] = docsRoutes(edge);
  return {
    createExportJob: createExportJobRoute(commits, edge),
    listExportJobs: listExportJobsRoute(jobs, edge),
    getExportJob: getExportJobRoute(jobs, edge),
    cancelExportJob: cancelExportJobRoute({ jobs, leases }, edge, settings.JOB_RETENTION.ms),
    getExportFile: getExportFileRoute({ jobs, files }, edge, settings.DOWNLOAD_URL_SECONDS),
    lookUpOperation: lookUpOperationRoute(records, edge),
    abandonOperation: abandonOperationRoute(records, edge),
    listArticles: listArticlesRoute(articles, edge),
    putArticle: putArticleRoute(articles, edge),
    getArticle: readArticleRoute(articles, edge),
    deleteArticle: deleteArticleRoute(articles, edge),
    getCapabilities: getCapabilitiesRoute(edge, settings.JOB_RETENTION),
    getOpenApi,
    getDocs,
    getDocsAsset,
    getProblem,
  };
}
