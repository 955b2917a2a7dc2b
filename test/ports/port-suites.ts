// Every suite of a port over the tables, in one list.

import { ABANDON_SUITE } from '#test/ports/abandon-port.ts';
import { ARTICLE_SUITE } from '#test/ports/article-port.ts';
import { BACKLOG_SUITE } from '#test/ports/backlog-port.ts';
import { COMMIT_SUITE } from '#test/ports/commit-port.ts';
import { JOB_LEASE_SUITE } from '#test/ports/job-lease-port.ts';
import { JOB_READ_SUITE } from '#test/ports/job-read-port.ts';
import type { PortSuite } from '#test/ports/port-suite.ts';
import type { StoreBench } from '#test/ports/store-bench.ts';
import { SWEEP_SUITE } from '#test/ports/sweep-port.ts';

export const STORE_SUITES: readonly PortSuite<StoreBench>[] = [
  COMMIT_SUITE,
  ABANDON_SUITE,
  JOB_LEASE_SUITE,
  JOB_READ_SUITE,
  ARTICLE_SUITE,
  SWEEP_SUITE,
  BACKLOG_SUITE,
];
