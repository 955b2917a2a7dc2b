// Lambda entry: GET and HEAD /v1/articles/{articleId}.
import { articles, edgeWiring } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { readArticleRoute } from '#http/routes/articles.ts';

export const handler = edge(readArticleRoute(articles, edgeWiring), edgeWiring);
