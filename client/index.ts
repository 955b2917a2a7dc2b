// What the package `export-once-client` offers. Nothing else is public.

export type { Article, ArticleSummary, PutArticle } from '#client/article.ts';
export type {
  ListArticlesOptions,
  PutArticleOptions,
  PutArticleResult,
} from '#client/articles.ts';
export type { AttemptReport } from '#client/attempt-report.ts';
export type { CallOptions } from '#client/call-options.ts';
export { type ClientOptions, createClient, type ExportOnceClient } from '#client/client.ts';
export type { CreatedExportJob, CreateExportJobOptions } from '#client/create-export-job.ts';
export type { DownloadedFile, DownloadFileOptions } from '#client/download-file.ts';
export {
  isNoAnswerError,
  isProblemError,
  isStoppedError,
  NoAnswerError,
  outcomeOf,
  ProblemError,
  type StopCode,
  StoppedError,
} from '#client/errors.ts';
export type {
  CreateExportJobParams,
  ExportFormat,
  ExportJob,
  ExportJobErrorCode,
  ExportJobReceipt,
  JobStatus,
} from '#client/export-job.ts';
export { checkedKey as normalIdempotencyKey } from '#client/idempotency-key.ts';
export type { ListJobsOptions } from '#client/jobs.ts';
export type { Abandonment, JobReference, NothingRecorded, Operation } from '#client/operation.ts';
export type { Executed, Outcome } from '#client/outcome.ts';
export type { Problem, ProblemCode } from '#client/problem.ts';
export { type RetryBudget, retryBudget } from '#client/retry-budget.ts';
export type { WaitForJobOptions } from '#client/wait-for-job.ts';
