// Lambda entry: PUT /v1/articles/{articleId}.
import { articles, edgeWiring } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { putArticleRoute } from '#http/routes/articles.ts';

export const handler = edge(putArticleRoute(articles, edgeWiring), edgeWiring);
