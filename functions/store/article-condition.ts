// Under which condition an article is changed.
//
//   we                         another caller
//   PUT v1, applied, no answer
//                              PUT v2, acknowledged
//   PUT v1 again: must not take v2 away
//
// So after a try without an answer a change without a precondition touches only what surely was there
// before it: an article last changed longer ago than two clocks can differ.

import { CLOCK_SKEW_MS_MAX } from '#contract/limits.ts';
import type { PutCondition } from '#export-jobs/article.ts';
import type { EpochMs } from '#idempotency/epoch.ts';
import type { Expression } from '#store/dynamo-input.ts';

export type Change = {
  /** Of a put: content that is stored already is not written again; the condition fails, the item tells. */
  readonly etag?: string;
  /** When this attempt began. */
  readonly sinceMs: EpochMs;
  readonly afterUnknown: boolean;
};

export function changeCondition(condition: PutCondition, change: Change): Expression {
  const { etag } = change;
  switch (condition.kind) {
    case 'absent':
      return { condition: 'attribute_not_exists(articleId)' };
    case 'none': {
      if (change.afterUnknown) return untouchedSince(change);
      return etag === undefined
        ? { condition: 'attribute_exists(articleId)' }
        : {
            condition: 'attribute_not_exists(articleId) OR etag <> :etag',
            values: { ':etag': etag },
          };
    }
    case 'match':
      // `*` names whatever stands there: what another caller wrote meanwhile, too.
      if (change.afterUnknown && condition.etags === 'any') return untouchedSince(change);
      return otherThan(etag, matching(condition.etags));
  }
}

/** Clocks differ from true time by a minute at most: two of them by two. */
const CLOCKS_DIFFER_MS_MAX = 2 * CLOCK_SKEW_MS_MAX;

/** Was an article last changed before an attempt began, by whatever clocks? */
export function stoodBefore(article: { readonly updatedAtMs: EpochMs }, sinceMs: EpochMs): boolean {
  return article.updatedAtMs < sinceMs - CLOCKS_DIFFER_MS_MAX;
}

/** The same, as a condition. */
function untouchedSince({ etag, sinceMs }: Change): Expression {
  return otherThan(etag, {
    condition: 'attribute_exists(articleId) AND updatedAtMs < :before',
    values: { ':before': sinceMs - CLOCKS_DIFFER_MS_MAX },
  });
}

function otherThan(etag: string | undefined, { condition, values }: Expression): Expression {
  return {
    condition: etag === undefined ? condition : `${condition} AND etag <> :etag`,
    ...((values || etag !== undefined) && {
      values: { ...values, ...(etag !== undefined && { ':etag': etag }) },
    }),
  };
}

/** Is no hash of any content. */
const NO_ETAG = '-';

function matching(etags: readonly string[] | 'any'): Expression {
  if (etags === 'any') return { condition: 'attribute_exists(articleId)' };
  // If-Match with no strong tag names no article: never true, never taken for `any`.
  const named = etags.length > 0 ? etags : [NO_ETAG];
  const values = Object.fromEntries(named.map((etag, index) => [`:match${index}`, etag]));
  return {
    condition: `attribute_exists(articleId) AND etag IN (${Object.keys(values).join(', ')})`,
    values,
  };
}
