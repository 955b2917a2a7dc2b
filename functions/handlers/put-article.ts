// Lambda entry: PUT /v1/articles/{articleId}.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { putArticleRoute } from '#http/routes/articles.ts';

const { articles, edge: parts } = wire();
export const handler = edge(putArticleRoute(articles, parts), parts);
