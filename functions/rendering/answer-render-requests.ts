// The thread's side of the render thread: one article in, one outcome out, again and again.

import type { MessagePort } from 'node:worker_threads';
import { renderOutcomeOf } from '#rendering/render-article.ts';
import type { RenderInput } from '#rendering/render-input.ts';
import type { ThreadMessage } from '#rendering/thread-message.ts';

export function answerRenderRequests(port: MessagePort): void {
  const say = (message: ThreadMessage) => port.postMessage(message);
  port.on('message', (input: RenderInput) => say(renderOutcomeOf(input)));
  say({ kind: 'ready' });
}
