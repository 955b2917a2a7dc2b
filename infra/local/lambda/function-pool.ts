// All functions of the service in their processes. The HTTP functions share one, functions fed by
// streams and schedules share another, every other function (run-job) has its own: so each kind can
// be frozen or killed alone, and a frozen API does not hold up the hand-over of jobs, as on AWS.

import type { Outcome } from '#local/lambda/host-messages.ts';
import { type HostProcess, startHost } from '#local/lambda/host-process.ts';
import { Sentence } from '#local/stack/sentence.ts';
import type { FunctionDefinition } from '#local/stack/service-definition.ts';

export type Invoke = (definition: FunctionDefinition, event: unknown) => Promise<Outcome>;

export interface FunctionPool {
  readonly invoke: Invoke;
  stop(): Promise<void>;
}

export interface PoolOptions {
  readonly functions: readonly FunctionDefinition[];
  /** Common to all functions; each function's own literals from serverless.yml come first. */
  readonly environment: NodeJS.ProcessEnv;
  readonly logFd: number;
  readonly say: (line: string) => void;
  readonly onPid: (group: string, pid: number) => void;
}

/** @throws Sentence when a handler cannot be loaded */
export async function startFunctionPool(options: PoolOptions): Promise<FunctionPool> {
  const groups = Map.groupBy(options.functions, groupOf);
  const started = await Promise.allSettled(
    [...groups].map(async ([group, functions]) => {
      const environment = { ...literalsOf(group, functions), ...options.environment };
      const onPid = (pid: number) => options.onPid(group, pid);
      // On AWS the worker has machines of its own; here a dozen renderings would starve the API.
      const background = group !== 'http' && group !== 'events';
      const host = await startHost({
        ...options,
        group,
        functions,
        environment,
        background,
        onPid,
      });
      return [group, host] as const;
    }),
  );
  const hosts = new Map<string, HostProcess>();
  for (const one of started) if (one.status === 'fulfilled') hosts.set(...one.value);
  const stop = async () => {
    await Promise.all([...hosts.values()].map((host) => host.stop()));
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    stop,
    invoke(definition, event) {
      const host = hosts.get(groupOf(definition));
      if (host === undefined) throw new Error(`no host for ${definition.key}`);
      return host.invoke(definition, event);
    },
  };
}

function groupOf(definition: FunctionDefinition): string {
  if (definition.routes.length > 0) return 'http';
  if (definition.streams.length > 0 || definition.scheduleMs.length > 0) return 'events';
  return definition.key;
}

/** Functions of one process share its environment: two values for one name cannot be served. */
function literalsOf(group: string, functions: readonly FunctionDefinition[]) {
  const all: Record<string, string> = {};
  for (const { environment } of functions) {
    for (const [name, value] of Object.entries(environment)) {
      if (all[name] !== undefined && all[name] !== value) {
        throw new Sentence(`serverless.yml gives ${name} two values within ${group}.`);
      }
      all[name] = value;
    }
  }
  return all;
}
