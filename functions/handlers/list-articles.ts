// Lambda entry: GET /v1/articles.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { listArticlesRoute } from '#http/routes/articles.ts';
import { serve } from '#http/serve.ts';
import { createArticleStore } from '#store/article-store.ts';

const base = wireEdge();
const { dynamo, tables } = wireTables(base);
const articles = createArticleStore(dynamo, tables);
export const handler = serve(base.edge, listArticlesRoute(articles, base.edge));
