// The client: every operation of the service over one address, one token and one retry budget.

import type { Article, ArticleSummary, PutArticle } from '#client/article.ts';
import {
  deleteArticle,
  getArticle,
  type ListArticlesOptions,
  listArticles,
  type PutArticleOptions,
  type PutArticleResult,
  putArticle,
} from '#client/articles.ts';
import { type CallOptions, isDuration } from '#client/call-options.ts';
import type { CallContext } from '#client/call-request.ts';
import {
  type CreatedExportJob,
  type CreateExportJobOptions,
  createExportJob,
} from '#client/create-export-job.ts';
import {
  type DownloadedFile,
  type DownloadFileOptions,
  downloadFile,
} from '#client/download-file.ts';
import { StoppedError } from '#client/errors.ts';
import type { CreateExportJobParams, ExportJob } from '#client/export-job.ts';
import { cancelJob, getJob, type ListJobsOptions, listJobs } from '#client/jobs.ts';
import type { Abandonment, NothingRecorded, Operation } from '#client/operation.ts';
import { abandonOperation, lookupOperation } from '#client/operations.ts';
import { type RetryBudget, sharedRetryBudget } from '#client/retry-budget.ts';
import { serviceClock } from '#client/service-clock.ts';
import { type WaitForJobOptions, waitForJob } from '#client/wait-for-job.ts';
import { realWorld, type World } from '#client/world.ts';

export interface ClientOptions {
  /** Where the service is, for example `https://exports.example.com`. */
  readonly url: string;
  /** A token, or what gives one: asked before each attempt. */
  readonly token: string | (() => string | PromiseLike<string>);
  /**
   * Longest time of one attempt, for calls that set none themselves. Milliseconds.
   * @default 10000; 30000 to put and to get an article, 25000 for a poll of waitForJob
   */
  readonly attemptTimeoutMs?: number;
  /** @default the global fetch */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** @default one for each origin, shared by all clients of this process */
  readonly retryBudget?: RetryBudget;
}

export interface ExportOnceClient {
  /**
   * Creates one export job for one intent, however often it has to be sent.
   *
   * Keep the key before anything is sent, so that after a crash the same intent can be sent again
   * under the same key.
   * @throws ProblemError, NoAnswerError, StoppedError; each with `outcome` and `idempotencyKey`
   * @example
   * const { jobId } = await client.createExportJob(
   *   { articleIds: ['a-1'], format: 'epub' },
   *   { onIdempotencyKey: (key) => orders.update(orderId, { exportKey: key }) },
   * );
   */
  createExportJob(
    params: CreateExportJobParams,
    options?: CreateExportJobOptions,
  ): Promise<CreatedExportJob>;
  /** The job as it is now. */
  getJob(jobId: string, options?: CallOptions): Promise<ExportJob>;
  /**
   * Own jobs, newest first. Pages are read as they are needed.
   * @example for await (const job of client.listJobs({ status: 'failed' })) …
   */
  listJobs(options?: ListJobsOptions): AsyncGenerator<ExportJob, void, undefined>;
  /** Waits until the job has succeeded, failed or been cancelled. Passing errors do not end it. */
  waitForJob(jobId: string, options?: WaitForJobOptions): Promise<ExportJob>;
  /** Cancels by the job's rules. It undoes nothing that was done. */
  cancelJob(jobId: string, options?: CallOptions): Promise<ExportJob>;
  /** What became of an intent. `state: 'none'` proves something only when `definitive` is true. */
  lookupOperation(
    idempotencyKey: string,
    options?: CallOptions,
  ): Promise<Operation | NothingRecorded>;
  /**
   * Makes sure that an intent will not be executed.
   * @throws ProblemError with `operation-committed` and `job` when it has been
   */
  abandonOperation(idempotencyKey: string, options?: CallOptions): Promise<Abandonment>;
  /**
   * The finished file. The stream is closed when size and digest are right, else aborted.
   * @example await client.downloadFile(jobId, Writable.toWeb(createWriteStream('export.epub')))
   */
  downloadFile(
    jobId: string,
    to: WritableStream<Uint8Array>,
    options?: DownloadFileOptions,
  ): Promise<DownloadedFile>;
  putArticle(
    articleId: string,
    article: PutArticle,
    options?: PutArticleOptions,
  ): Promise<PutArticleResult>;
  getArticle(articleId: string, options?: CallOptions): Promise<Article>;
  listArticles(options?: ListArticlesOptions): AsyncGenerator<ArticleSummary, void, undefined>;
  deleteArticle(articleId: string, options?: Omit<PutArticleOptions, 'ifAbsent'>): Promise<void>;
}

/**
 * @example const client = createClient({ url: 'http://127.0.0.1:8787', token });
 * @throws StoppedError argument-invalid
 */
export function createClient(options: ClientOptions): ExportOnceClient {
  const { fetch } = options;
  // Which ports it blocks is the business of whoever gave it.
  return clientIn(fetch ? { ...realWorld, fetch, blocksPort: () => false } : realWorld, options);
}

/** As `createClient`, in a world of the test's own. */
export function clientIn(world: World, options: ClientOptions): ExportOnceClient {
  const { token, retryBudget, attemptTimeoutMs } = options;
  if (attemptTimeoutMs !== undefined && !isDuration(attemptTimeoutMs)) {
    throw new StoppedError('argument-invalid', 'attemptTimeoutMs is a number of milliseconds.');
  }
  const context: CallContext = {
    baseUrl: baseUrlOf(options.url),
    token: typeof token === 'function' ? token : () => token,
    world,
    clock: serviceClock(),
    ...(attemptTimeoutMs !== undefined && { attemptTimeoutMs }),
    budgetOf: retryBudget ? () => retryBudget : sharedRetryBudget,
  };
  return {
    createExportJob: (params, given = {}) => createExportJob(params, given, context),
    getJob: (jobId, given = {}) => getJob(jobId, given, context),
    listJobs: (given = {}) => listJobs(given, context),
    waitForJob: (jobId, given = {}) => waitForJob(jobId, given, context),
    cancelJob: (jobId, given = {}) => cancelJob(jobId, given, context),
    lookupOperation: (key, given = {}) => lookupOperation(key, given, context),
    abandonOperation: (key, given = {}) => abandonOperation(key, given, context),
    downloadFile: (jobId, to, given = {}) => downloadFile({ jobId, to }, given, context),
    putArticle: (articleId, article, given = {}) =>
      putArticle({ articleId, article }, given, context),
    getArticle: (id, given = {}) => getArticle(id, given, context),
    listArticles: (given = {}) => listArticles(given, context),
    deleteArticle: (id, given = {}) => deleteArticle(id, given, context),
  };
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search ||
    url.hash ||
    url.username ||
    url.password
  ) {
    throw new StoppedError('argument-invalid', 'url is the http(s) address of the service.');
  }
  return url.href.replace(/\/+$/, '');
}
