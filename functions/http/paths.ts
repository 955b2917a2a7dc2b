// Paths that answers name: jobs, articles, pages of problems. Below the base path of the deployment, which is
// configuration and never read from a request: a caller must not choose where links lead.

import { pathOf } from '#contract/routes.ts';

export type Paths = {
  /** `` or `/exports`: in front of every path, without a slash at its end. */
  readonly base: string;
  readonly job: (jobId: string) => string;
  readonly article: (articleId: string) => string;
  readonly problem: (code: string) => string;
};

export function pathsBelow(base: string): Paths {
  return {
    base,
    job: (jobId) => base + pathOf('getExportJob', { jobId }),
    article: (articleId) => base + pathOf('getArticle', { articleId }),
    problem: (code) => base + pathOf('getProblem', { code }),
  };
}

/** How a problem names a job. */
export function jobReference(id: string, { job }: Paths): { id: string; href: string } {
  return { id, href: job(id) };
}
