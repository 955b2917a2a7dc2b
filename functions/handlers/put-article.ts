// Lambda entry: PUT /v1/articles/{articleId}.
import { wireEdge } from '#handlers/edge-wiring.ts';
import { wireTables } from '#handlers/table-wiring.ts';
import { putArticleRoute } from '#http/routes/articles.ts';
import { serve } from '#http/serve.ts';
import { createArticleStore } from '#store/article-store.ts';

const base = wireEdge();
const { dynamo, tables } = wireTables(base);
const articles = createArticleStore(dynamo, tables);
export const handler = serve(base.edge, putArticleRoute(articles, base.edge));
