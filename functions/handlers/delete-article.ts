// Lambda entry: DELETE /v1/articles/{articleId}.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { deleteArticleRoute } from '#http/routes/articles.ts';

const { articles, edge: parts } = wire();
export const handler = edge(deleteArticleRoute(articles, parts), parts);
