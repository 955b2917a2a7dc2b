// Lambda entry: GET and HEAD /v1/articles/{articleId}.
import { wire } from '#handlers/wiring.ts';
import { edge } from '#http/edge.ts';
import { readArticleRoute } from '#http/routes/articles.ts';

const { articles, edge: parts } = wire();
export const handler = edge(readArticleRoute(articles, parts), parts);
