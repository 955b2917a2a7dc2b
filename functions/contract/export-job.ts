// What callers send and see of an export job.

import * as z from 'zod';
import {
  articleIdSchema,
  idempotencyKeySchema,
  instantSchema,
  jobIdSchema,
  languageSchema,
  sourceBatchIdSchema,
  titleSchema,
} from '#contract/grammar.ts';
import { ARTICLES_PER_JOB_MAX } from '#contract/limits.ts';

export const EXPORT_FORMATS = ['text', 'markdown', 'html', 'epub', 'json'] as const;
export const exportFormatSchema = z.enum(EXPORT_FORMATS);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export const jobStatusSchema = z.enum(JOB_STATUSES);
export type JobStatus = z.infer<typeof jobStatusSchema>;

/** Body of `POST /v1/export-jobs`. The order of `articleIds` is the order in the file. */
export const createExportJobSchema = z
  .strictObject({
    articleIds: z
      .array(articleIdSchema)
      .min(1)
      .max(ARTICLES_PER_JOB_MAX)
      .refine((ids) => new Set(ids).size === ids.length, 'must not contain an ID twice')
      .meta({ uniqueItems: true }),
    format: exportFormatSchema,
    title: titleSchema.exactOptional(),
    language: languageSchema.exactOptional(),
    sourceBatchId: sourceBatchIdSchema.exactOptional(),
  })
  .meta({ id: 'CreateExportJob' });
export type CreateExportJob = z.infer<typeof createExportJobSchema>;

const jobLink = (end: string) =>
  z.string().meta({ examples: [`/v1/export-jobs/019a4f5e-9d21-7c44-8f10-5b7de8a1c902${end}`] });

/** The answer of a create: small, final, stored, and given again byte for byte. */
export const exportJobReceiptSchema = z
  .object({
    id: jobIdSchema,
    status: z.literal('queued'),
    createdAt: instantSchema,
    keyExpiresAt: instantSchema,
    links: z.object({ self: jobLink('') }),
  })
  .meta({ id: 'ExportJobReceipt' });
export type ExportJobReceipt = z.infer<typeof exportJobReceiptSchema>;

export const JOB_ERROR_CODES = [
  'articles-missing',
  'article-unrenderable',
  'job-too-large',
  'runs-exhausted',
  'internal-error',
] as const;

export const exportJobSchema = z
  .object({
    id: jobIdSchema,
    status: jobStatusSchema,
    idempotencyKey: idempotencyKeySchema,
    format: exportFormatSchema,
    language: z.string(),
    articleCount: z.int().min(1),
    title: z.string().exactOptional(),
    sourceBatchId: sourceBatchIdSchema.exactOptional(),
    createdAt: instantSchema,
    startedAt: instantSchema.exactOptional(),
    finishedAt: instantSchema.exactOptional(),
    progress: z.object({ done: z.int().min(0), total: z.int().min(1) }),
    run: z.int().min(0).meta({ description: "The worker's goes at this job, counted from 1." }),
    cancelRequested: z.literal(true).exactOptional(),
    file: z
      .object({ bytes: z.int().min(0), sha256: z.string(), contentType: z.string() })
      .exactOptional(),
    error: z
      .object({
        code: z.enum(JOB_ERROR_CODES),
        detail: z.string(),
        articleIds: z.array(articleIdSchema).exactOptional(),
      })
      .exactOptional(),
    links: z.object({ self: jobLink(''), cancel: jobLink('/cancel'), file: jobLink('/file') }),
  })
  .meta({ id: 'ExportJob' });
export type ExportJob = z.infer<typeof exportJobSchema>;

export const exportJobListSchema = z
  .object({ items: z.array(exportJobSchema), cursor: z.string().exactOptional() })
  .meta({ id: 'ExportJobList' });
export type ExportJobList = z.infer<typeof exportJobListSchema>;

export const exportFileSchema = z
  .object({ url: z.url(), expiresAt: instantSchema })
  .meta({ id: 'ExportFile' });
export type ExportFile = z.infer<typeof exportFileSchema>;
