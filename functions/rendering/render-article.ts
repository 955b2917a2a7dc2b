// One article to its part of the file: the pure, synchronous core that runs here or in a thread.
// An article whose Markdown cannot be rendered is a value with a reason, never a half-written part.

import { contentOf } from '#rendering/content-of-format.ts';
import type { RenderInput } from '#rendering/render-input.ts';

export type UnrenderableReason =
  /** It took longer than the time limit of one article. */
  | 'time-limit'
  /** It needed more heap than one article may use. */
  | 'memory-limit'
  /** It is nested deeper than the stack. */
  | 'nested-too-deep'
  /** The renderer threw; it would throw again. */
  | 'renderer-failed';

export type RenderOutcome =
  | { readonly kind: 'rendered'; readonly content: string }
  | {
      readonly kind: 'unrenderable';
      readonly reason: UnrenderableReason;
      /** For the log, not for callers. */
      readonly detail?: string;
    };

/**
 * One article to its part of the file. An abort rejects with the signal's reason, at once.
 * Rejects otherwise only if the renderer itself could not be started: that is no article's fault.
 */
export type RenderArticle = (input: RenderInput, signal: AbortSignal) => Promise<RenderOutcome>;

/** Renders in this thread, with no limit of time or memory: for tests and for the thread itself. */
export const renderArticleHere: RenderArticle = async (input, signal) => {
  signal.throwIfAborted();
  return renderOutcomeOf(input);
};

/** The part of the file, or why there is none. Synchronous; never throws. */
export function renderOutcomeOf(input: RenderInput): RenderOutcome {
  try {
    return { kind: 'rendered', content: contentOf[input.format](input) };
  } catch (error) {
    const reason = isStackOverflow(error) ? 'nested-too-deep' : 'renderer-failed';
    return { kind: 'unrenderable', reason, detail: String(error) };
  }
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}
