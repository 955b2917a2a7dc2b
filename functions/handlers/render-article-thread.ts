// Entry point of the render thread. Bundled on its own; wiring gives its URL to `createRenderThread`.

import { parentPort } from 'node:worker_threads';
import { answerRenderRequests } from '#rendering/answer-render-requests.ts';

if (parentPort === null) throw new Error('render-article-thread runs only as a worker thread');
answerRenderRequests(parentPort);
