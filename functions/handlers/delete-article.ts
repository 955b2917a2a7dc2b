// Lambda entry: DELETE /v1/articles/{articleId}.
import { articles, edgeWiring } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { deleteArticleRoute } from '#http/routes/articles.ts';

export const handler = edge(deleteArticleRoute(articles, edgeWiring), edgeWiring);
