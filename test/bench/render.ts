// Time and memory of each format for 1, 10, 100 and 500 articles, as the worker renders them: in the render
// thread, streamed, and thrown away. Each figure comes from a process of its own, since a peak never falls.
// `npx node test/bench/render.ts` prints a table; `npx node test/bench/render.ts html 100` one measurement as JSON.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EXPORT_FORMATS, exportFormatSchema } from '#contract/export-job.ts';
import { readSampleArticles } from '#local/sample-articles.ts';
import type { RenderableArticle } from '#rendering/export-request.ts';
import { renderExport } from '#rendering/render-export.ts';
import { createRenderThread } from '#rendering/render-thread.ts';

const COUNTS = [1, 10, 100, 500];
/** Markdown of one article, about, in characters: a long page. */
const ARTICLE_CHARACTERS = 20_000;

type Measurement = {
  readonly ms: number;
  readonly markdownBytes: number;
  readonly fileBytes: number;
  readonly peakRssMb: number;
};

async function measure(format: string, articleCount: number): Promise<Measurement> {
  const entryUrl = new URL(import.meta.resolve('#handlers/render-article-thread.ts'));
  const thread = createRenderThread({ timeoutMs: 30_000, heapMb: 512, entryUrl });
  const signal = new AbortController().signal;
  const request = {
    format: exportFormatSchema.parse(format),
    language: 'en',
    title: 'Bench',
    articleCount,
    createdAtMs: 0,
  };
  let markdownBytes = 0;
  let fileBytes = 0;
  async function* counted() {
    for await (const article of articles(articleCount)) {
      markdownBytes += Buffer.byteLength(article.markdown);
      yield article;
    }
  }
  const startedAtMs = performance.now();
  const options = { renderArticle: thread.renderArticle, signal };
  for await (const chunk of renderExport(request, counted(), options)) fileBytes += chunk.length;
  const ms = performance.now() - startedAtMs;
  await thread.close();
  return { ms, markdownBytes, fileBytes, peakRssMb: process.resourceUsage().maxRSS / 1024 };
}

/** Made one at a time, as they come from a store. */
async function* articles(count: number): AsyncGenerator<RenderableArticle> {
  const samples = readSampleArticles();
  for (let number = 0; number < count; number += 1) {
    const { body } = samples[number % samples.length] as (typeof samples)[number];
    const times = Math.ceil(ARTICLE_CHARACTERS / body.markdown.length);
    yield {
      id: `a-${number}`,
      title: `${body.title} ${number}`,
      language: body.language ?? 'und',
      markdown: `${body.markdown}\n\n${number}\n\n`.repeat(times),
    };
  }
}

function printTable(): void {
  console.log('format    articles  Markdown MB   file MB       s  ms/article  peak RSS MB');
  for (const format of EXPORT_FORMATS) {
    for (const count of COUNTS) {
      const self = fileURLToPath(import.meta.url);
      const said = execFileSync(process.execPath, [self, format, `${count}`], { encoding: 'utf8' });
      const { ms, markdownBytes, fileBytes, peakRssMb } = JSON.parse(said) as Measurement;
      const columns = [
        `${count}`.padStart(8),
        (markdownBytes / 1e6).toFixed(2).padStart(13),
        (fileBytes / 1e6).toFixed(2).padStart(10),
        (ms / 1000).toFixed(2).padStart(8),
        (ms / count).toFixed(1).padStart(12),
        peakRssMb.toFixed(0).padStart(13),
      ];
      console.log(format.padEnd(10) + columns.join(''));
    }
  }
}

const [format, count] = process.argv.slice(2);
if (format === undefined) printTable();
else console.log(JSON.stringify(await measure(format, Number(count))));
