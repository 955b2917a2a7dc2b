// One line a request: which route, what came of it, how long it took. No path, body, token or raw key.

import type { World } from '#http/attempt.ts';
import type { EdgeMiddleware, Log } from '#http/edge-parts.ts';
import type { HttpRequest } from '#http/request.ts';

export function logRequests(log: Log, world: World, publish: () => void): EdgeMiddleware {
  const started = new WeakMap<HttpRequest, number>();
  const write: NonNullable<EdgeMiddleware['after']> = (middle) => {
    const { requestId, routeKey, notes } = middle.event;
    log.info('request', {
      requestId,
      route: routeKey,
      status: middle.response?.status ?? 0,
      tookMs: Math.round(world.monotonicMs() - (started.get(middle.event) ?? 0)),
      ...notes,
    });
    publish();
  };
  return {
    before: (middle) => {
      started.set(middle.event, world.monotonicMs());
    },
    after: write,
    onError: write,
  };
}
