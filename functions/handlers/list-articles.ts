// Lambda entry: GET /v1/articles.
import { articles, edgeWiring } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { listArticlesRoute } from '#http/routes/articles.ts';

export const handler = edge(listArticlesRoute(articles, edgeWiring), edgeWiring);
