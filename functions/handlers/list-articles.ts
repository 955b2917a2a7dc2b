// Lambda entry: GET /v1/articles.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { listArticlesRoute } from '#http/routes/articles.ts';

const { articles, edge: parts } = wire();
export const handler = edge(listArticlesRoute(articles, parts), parts);
