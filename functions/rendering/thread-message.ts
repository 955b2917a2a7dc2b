// What a render thread says to whoever started it. A type alone: neither side imports the other, so that
// the thread does not load what starts threads.

import type { RenderOutcome } from '#rendering/render-article.ts';

/** Once that it is loaded, then one outcome a request. */
export type ThreadMessage = { readonly kind: 'ready' } | RenderOutcome;
