// Articles: one item each. Lists read a narrow index, never the texts.
// Race drawn: two PUTs with the same If-Match: the first moves the etag, so the second finds it false.

import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type {
  Article,
  ArticlePort,
  ArticleSummary,
  PutArticleResult,
  PutCondition,
} from '#export-jobs/article.ts';
import type { Item } from '#store/classify-answer.ts';
import { mapFound, readItem } from '#store/idempotency-store.ts';
import { fromItem, toItem } from '#store/item.ts';
import { queryPage } from '#store/query.ts';
import { epochMsSchema } from '#store/record-item.ts';
import { sendWrite } from '#store/send-once.ts';
import { TABLES, type TableNames } from '#store/tables.ts';

const summarySchema = z.object({
  articleId: z.string(),
  title: z.string(),
  bytes: z.int(),
  etag: z.string(),
  updatedAtMs: epochMsSchema,
});
const articleSchema = summarySchema.extend({
  owner: z.string(),
  markdown: z.string(),
  language: z.string(),
});

const articleFromItem = (item: Item): Article => fromItem(item, articleSchema, 'an article');
const summaryFromItem = (item: Item): ArticleSummary => fromItem(item, summarySchema, 'an article');

export function createArticleStore(client: DynamoDBClient, tables: TableNames): ArticlePort {
  const TableName = tables.articles;
  return {
    async readArticle(owner, articleId, options) {
      const read = await readItem(client, TableName, { owner, articleId }, options);
      return mapFound(read, articleFromItem);
    },

    async putArticle(article, condition, options) {
      const { expression, values } = putExpression(article, condition);
      const command = new PutItemCommand({
        TableName,
        Item: toItem(article),
        ConditionExpression: expression,
        ...(values && { ExpressionAttributeValues: toItem(values) }),
        ReturnValues: 'ALL_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ReturnConsumedCapacity: 'INDEXES',
      });
      const answer = await sendWrite(command, options, (o) => client.send(command, o));
      switch (answer.kind) {
        case 'applied':
          return { kind: answer.output?.Attributes ? 'replaced' : 'created', article };
        case 'condition-failed':
          return putRefused(article, condition, answer.item && summaryFromItem(answer.item));
        case 'not-applied':
        case 'unknown':
          return answer;
      }
    },

    async deleteArticle(owner, articleId, condition, options) {
      const { expression, values } = deleteExpression(condition);
      const command = new DeleteItemCommand({
        TableName,
        Key: toItem({ owner, articleId }),
        ConditionExpression: expression,
        ...(values && { ExpressionAttributeValues: toItem(values) }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ReturnConsumedCapacity: 'INDEXES',
      });
      const answer = await sendWrite(command, options, (o) => client.send(command, o));
      switch (answer.kind) {
        case 'applied':
          return { kind: 'deleted' };
        case 'condition-failed':
          if (!answer.item) return { kind: 'deleted' }; // absent: what was asked for already holds
          return { kind: 'mismatch', currentEtag: summaryFromItem(answer.item).etag };
        case 'not-applied':
        case 'unknown':
          return answer;
      }
    },

    async listArticles(owner, { limit, afterArticleId }, options) {
      const page = await queryPage(
        client,
        {
          TableName,
          IndexName: 'ArticleList',
          KeyConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: toItem({ ':owner': owner }),
          Limit: limit,
          ...(afterArticleId !== undefined && {
            ExclusiveStartKey: toItem({ owner, articleId: afterArticleId }),
          }),
        },
        options,
      );
      return mapFound(page, ({ items, lastKey }) => {
        const next = lastKey?.[TABLES.articles.range]?.S;
        return {
          articles: items.map(summaryFromItem),
          ...(next !== undefined && { nextAfterArticleId: next }),
        };
      });
    },
  };
}

type Expression = {
  readonly expression: string;
  readonly values?: Readonly<Record<string, string>>;
};

/** Content that is stored already is not written again: the condition fails and the item tells. */
function putExpression({ etag }: Article, condition: PutCondition): Expression {
  switch (condition.kind) {
    case 'absent':
      return { expression: 'attribute_not_exists(articleId)' };
    case 'none':
      return {
        expression: 'attribute_not_exists(articleId) OR etag <> :etag',
        values: { ':etag': etag },
      };
    case 'match': {
      const matches = matchExpression(condition.etags);
      return {
        expression: `${matches.expression} AND etag <> :etag`,
        values: { ...matches.values, ':etag': etag },
      };
    }
  }
}

function deleteExpression(condition: PutCondition): Expression {
  if (condition.kind === 'match') return matchExpression(condition.etags);
  return { expression: 'attribute_exists(articleId)' };
}

/** Is no hash of any content. */
const NO_ETAG = '-';

function matchExpression(etags: readonly string[] | 'any'): Expression {
  if (etags === 'any') return { expression: 'attribute_exists(articleId)' };
  // If-Match with no strong tag names no article: never true, never taken for `any`.
  const named = etags.length > 0 ? etags : [NO_ETAG];
  const values = Object.fromEntries(named.map((etag, index) => [`:match${index}`, etag]));
  return {
    expression: `attribute_exists(articleId) AND etag IN (${Object.keys(values).join(', ')})`,
    values,
  };
}

function putRefused(
  article: Article,
  condition: PutCondition,
  stored: ArticleSummary | undefined,
): PutArticleResult {
  if (!stored) return { kind: 'mismatch' };
  const same = stored.etag === article.etag;
  if (same && condition.kind !== 'absent') return { kind: 'unchanged', article: stored };
  if (same && stored.updatedAtMs === article.updatedAtMs) return { kind: 'created', article };
  return { kind: 'mismatch', currentEtag: stored.etag };
}
