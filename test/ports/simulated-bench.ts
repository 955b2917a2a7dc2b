// The ports over the simulated store, with its own switches for the faults.

import { DUE } from '#test/ports/sample-values.ts';
import type { Fault, ItemName, StoreBench, StoreFaults } from '#test/ports/store-bench.ts';
import { simulatedArticles } from '#test/support/simulated/articles.ts';
import { simulatedBacklog, simulatedSweep } from '#test/support/simulated/due.ts';
import { simulatedJobCommits } from '#test/support/simulated/job-commits.ts';
import { simulatedLeases } from '#test/support/simulated/job-leases.ts';
import { simulatedJobReads } from '#test/support/simulated/job-reads.ts';
import { simulatedRecords } from '#test/support/simulated/records.ts';
import { type SimulatedStore, simulatedStore } from '#test/support/simulated/store.ts';
import { jobKey, ownedKey, type SimulatedTables } from '#test/support/simulated/tables.ts';
import type { Journey, Journeys } from '#test/support/simulated/travel.ts';

export async function openSimulatedBench(): Promise<StoreBench> {
  const switches = faultSwitches();
  const store = simulatedStore({ nowMs: Date.now, journeys: switches.journeys, due: DUE });
  const { tables } = store;
  return {
    ports: {
      commits: simulatedJobCommits(store),
      records: simulatedRecords(store),
      leases: simulatedLeases(store),
      jobs: simulatedJobReads(store),
      articles: simulatedArticles(store),
      sweep: simulatedSweep(store),
      backlog: simulatedBacklog(store),
    },
    faults: switches.faults(store),
    spoil: async (name) => tableOf(name, tables).spoil(keyOf(name)),
    purge: async (name) => tableOf(name, tables).delete(keyOf(name)),
    owe: async ({ jobId, dueAtMs }) => tables.outbox.set(jobId, { jobId, dueAtMs }),
    outbox: async () =>
      tables.outbox.entries().map(([, { jobId, event = '' }]) => ({ jobId, event })),
    close: async () => undefined,
  };
}

/** Counts how often it has bitten. */
function countingFault(): Fault & { readonly bite: () => true } {
  let bites = 0;
  return {
    bitten: () => bites,
    bite() {
      bites += 1;
      return true;
    },
  };
}

function faultSwitches() {
  let next: (() => Journey) | undefined;
  let bare: (() => true) | undefined;
  let empty: (() => boolean) | undefined;
  let writes = 0;
  const journeys: Journeys = {
    write() {
      writes += 1;
      const journey = next?.() ?? { afterMs: 0, heard: true };
      next = undefined;
      return journey;
    },
    readIsEmpty: () => empty?.() ?? false,
    refusalIsBare: () => bare?.() ?? false,
  };
  const nextWrite = (journey: Journey): Fault => {
    const fault = countingFault();
    next = () => {
      fault.bite();
      return journey;
    };
    return fault;
  };
  const faults = ({ travel }: SimulatedStore): StoreFaults => ({
    loseRequest: () => nextWrite('lost'),
    loseAnswer: () => nextWrite({ afterMs: 0, heard: false }),
    holdWrite: () => ({
      ...nextWrite({ afterMs: Number.POSITIVE_INFINITY, heard: false }),
      land: async () => travel.landAll(),
    }),
    refuse: (why) => nextWrite({ refused: why }),
    bareRefusals() {
      const fault = countingFault();
      bare = fault.bite;
      return fault;
    },
    emptyReads(nth) {
      const fault = countingFault();
      let reads = 0;
      empty = () => {
        reads += 1;
        return (nth === undefined || reads === nth) && fault.bite();
      };
      return fault;
    },
    writes: () => writes,
  });
  return { journeys, faults };
}

function tableOf(name: ItemName, tables: SimulatedTables) {
  return {
    record: tables.records,
    claim: tables.claims,
    job: tables.jobs,
    article: tables.articles,
  }[name.of];
}

function keyOf(name: ItemName): string {
  switch (name.of) {
    case 'record':
    case 'claim':
      return name.key;
    case 'job':
      return jobKey(name.job);
    case 'article':
      return ownedKey(name.article.owner, name.article.articleId);
  }
}
