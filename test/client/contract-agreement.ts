// The client's plain interfaces against the service's schemas: this file does not compile when they
// differ. Nothing here runs; own-interfaces.test.ts has it compiled.

import type * as z from 'zod';
import type { Article, ArticleSummary, PutArticle } from '#client/article.ts';
import type {
  CreateExportJobParams,
  ExportFormat,
  ExportJob,
  ExportJobErrorCode,
  ExportJobReceipt,
  JobStatus,
} from '#client/export-job.ts';
import type { Abandonment, JobReference, Operation } from '#client/operation.ts';
import type { Problem, ProblemCode } from '#client/problem.ts';
import type { articleSchema, articleSummarySchema, putArticleSchema } from '#contract/article.ts';
import type {
  createExportJobSchema,
  exportFormatSchema,
  exportJobReceiptSchema,
  exportJobSchema,
  JOB_ERROR_CODES,
  jobStatusSchema,
} from '#contract/export-job.ts';
import type {
  abandonmentSchema,
  jobReferenceSchema,
  operationSchema,
} from '#contract/operation.ts';
import type { problemSchema } from '#contract/problem.ts';
import type { ProblemCode as ServiceProblemCode } from '#contract/problem-catalogue.ts';

/** Identical, not only assignable: an optional member that one of them lacks counts. */
type Same<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : never;
/** Interfaces that extend others, and intersections, as one object, all the way down. */
type Flat<T> = T extends readonly (infer Item)[]
  ? Flat<Item>[]
  : T extends object
    ? { [Name in keyof T]: Flat<T[Name]> }
    : T;

export type Agreement = [
  Same<CreateExportJobParams, z.infer<typeof createExportJobSchema>>,
  Same<ExportFormat, z.infer<typeof exportFormatSchema>>,
  Same<JobStatus, z.infer<typeof jobStatusSchema>>,
  Same<ExportJobErrorCode, (typeof JOB_ERROR_CODES)[number]>,
  Same<ExportJobReceipt, z.infer<typeof exportJobReceiptSchema>>,
  Same<ExportJob, z.infer<typeof exportJobSchema>>,
  Same<PutArticle, z.infer<typeof putArticleSchema>>,
  Same<ArticleSummary, z.infer<typeof articleSummarySchema>>,
  Same<Article, z.infer<typeof articleSchema>>,
  Same<JobReference, z.infer<typeof jobReferenceSchema>>,
  Same<Operation, z.infer<typeof operationSchema>>,
  Same<Abandonment, z.infer<typeof abandonmentSchema>>,
  Same<Omit<Problem, 'code'>, Omit<z.infer<typeof problemSchema>, 'code'>>,
  // The client may know a code before the service has it, never the other way round.
  Same<Exclude<ServiceProblemCode, ProblemCode>, never>,
];

const AGREED: Agreement = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
];
export default AGREED;
