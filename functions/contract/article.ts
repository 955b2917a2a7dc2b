// What callers send and see of an article, the material of exports.

import * as z from 'zod';
import {
  articleIdSchema,
  instantSchema,
  languageSchema,
  titleSchema,
  wellFormedTextSchema,
} from '#contract/grammar.ts';
import { ARTICLE_MARKDOWN_BYTES_MAX } from '#contract/limits.ts';

/** Body of `PUT /v1/articles/{articleId}`. */
export const putArticleSchema = z
  .strictObject({
    title: titleSchema,
    markdown: wellFormedTextSchema
      .refine(
        (text) => Buffer.byteLength(text, 'utf8') <= ARTICLE_MARKDOWN_BYTES_MAX,
        `must be at most ${ARTICLE_MARKDOWN_BYTES_MAX} bytes of UTF-8`,
      )
      .meta({ maxLength: ARTICLE_MARKDOWN_BYTES_MAX }),
    language: languageSchema.exactOptional(),
  })
  .meta({ id: 'PutArticle' });
export type PutArticle = z.infer<typeof putArticleSchema>;

export const articleSchema = z
  .object({
    id: articleIdSchema,
    title: z.string(),
    markdown: z.string(),
    language: z.string(),
    bytes: z.int().min(0),
    etag: z.string(),
    updatedAt: instantSchema,
  })
  .meta({ id: 'Article' });
export type Article = z.infer<typeof articleSchema>;

/** An article without its text: what lists and PUT answer. */
export const articleSummarySchema = articleSchema
  .omit({ markdown: true, language: true })
  .meta({ id: 'ArticleSummary' });
export type ArticleSummary = z.infer<typeof articleSummarySchema>;

export const articleListSchema = z
  .object({ items: z.array(articleSummarySchema), cursor: z.string().exactOptional() })
  .meta({ id: 'ArticleList' });
export type ArticleList = z.infer<typeof articleListSchema>;
