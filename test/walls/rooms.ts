// The rooms of the house: what each one knows, which others it may import, which packages it may not.
// The one table of the walls: the imports of every file, the aliases of package.json and the maps in
// README and CONTRIBUTING are held against it. What is not written here is not allowed.

export type RoomName =
  | 'contract'
  | 'idempotency'
  | 'rendering'
  | 'export-jobs'
  | 'store'
  | 'http'
  | 'worker'
  | 'ops'
  | 'handlers'
  | 'client'
  | 'infra/local'
  | 'infra'
  | 'test';

export type Room = {
  readonly folder: string;
  /** `#alias/file.ts`, as package.json has it. */
  readonly alias: string;
  readonly knows: string;
  /** Besides itself. */
  readonly mayImport: readonly RoomName[];
  /** Exact names, or `prefix*`. */
  readonly mayNotUse: readonly string[];
};

const AWS_SDK = ['@aws-sdk/*', '@smithy/*'];
const LAMBDA = ['aws-lambda', '@middy/*', '@aws-lambda-powertools/*'];
/** A room that only decides or renders reaches nothing outside the process. */
const OUTSIDE = ['node:fs*', 'node:http*', 'node:net', 'node:tls', 'node:child_process'];

export const ROOMS: Readonly<Record<RoomName, Room>> = {
  contract: {
    folder: 'functions/contract',
    alias: '#contract',
    knows: 'what other processes see: schemas, headers, limits, problems, metrics',
    mayImport: ['idempotency'],
    mayNotUse: [...AWS_SDK, ...LAMBDA, ...OUTSIDE],
  },
  idempotency: {
    folder: 'functions/idempotency',
    alias: '#idempotency',
    knows: 'the heart: keys, retention, fingerprints, commit-once; it can be lifted out',
    mayImport: [],
    mayNotUse: [...AWS_SDK, ...LAMBDA, ...OUTSIDE],
  },
  rendering: {
    folder: 'functions/rendering',
    alias: '#rendering',
    knows: 'articles into files, one folder a format; no job, no store',
    mayImport: ['contract'],
    mayNotUse: [...AWS_SDK, ...LAMBDA, ...OUTSIDE],
  },
  'export-jobs': {
    folder: 'functions/export-jobs',
    alias: '#export-jobs',
    knows: 'the export job: create, read, cancel, run, sweep; no edge, no store',
    mayImport: ['contract', 'idempotency', 'rendering'],
    mayNotUse: [...AWS_SDK, ...LAMBDA, ...OUTSIDE],
  },
  store: {
    folder: 'functions/store',
    alias: '#store',
    knows: 'DynamoDB and S3: tables, keys, attributes, SDK errors; no edge',
    mayImport: ['contract', 'idempotency', 'export-jobs'],
    mayNotUse: LAMBDA,
  },
  http: {
    folder: 'functions/http',
    alias: '#http',
    knows: 'the API Gateway edge: one file a route; it reaches stores through ports',
    mayImport: ['contract', 'idempotency', 'export-jobs', 'rendering'],
    mayNotUse: AWS_SDK,
  },
  worker: {
    folder: 'functions/worker',
    alias: '#worker',
    knows: 'the stream and schedule edge; it reaches stores through ports',
    mayImport: ['contract', 'idempotency', 'export-jobs'],
    mayNotUse: AWS_SDK,
  },
  ops: {
    folder: 'functions/ops',
    alias: '#ops',
    knows: "operators' commands, over the same use cases and stores; no edge",
    mayImport: ['contract', 'idempotency', 'export-jobs', 'store', 'handlers'],
    mayNotUse: LAMBDA,
  },
  handlers: {
    folder: 'functions/handlers',
    alias: '#handlers',
    knows: 'Lambda entries, configuration, wiring',
    mayImport: ['contract', 'idempotency', 'export-jobs', 'rendering', 'store', 'http', 'worker'],
    mayNotUse: [],
  },
  client: {
    folder: 'client',
    alias: '#client',
    knows: 'the client and the command line for callers; of the service only its contract',
    mayImport: ['contract'],
    mayNotUse: [...AWS_SDK, ...LAMBDA],
  },
  'infra/local': {
    folder: 'infra/local',
    alias: '#local',
    knows: 'the same service on one machine; functions only as serverless.yml names them',
    mayImport: ['contract', 'infra'],
    mayNotUse: ['@middy/*', '@aws-lambda-powertools/*'],
  },
  infra: {
    folder: 'infra',
    alias: '#infra',
    knows: 'what is deployed: the template, its parts, how handlers become bundles',
    mayImport: ['contract', 'idempotency', 'export-jobs'],
    mayNotUse: [...AWS_SDK, ...LAMBDA],
  },
  test: {
    folder: 'test',
    alias: '#test',
    knows: 'tests, laid out as the rooms are',
    mayImport: [
      'contract',
      'idempotency',
      'rendering',
      'export-jobs',
      'store',
      'http',
      'worker',
      'ops',
      'handlers',
      'client',
      'infra/local',
      'infra',
    ],
    mayNotUse: [],
  },
};

/** The room that a file of the repository stands in; undefined for what stands in none. */
export function roomOf(path: string): RoomName | undefined {
  return roomNames().find((name) => path.startsWith(`${ROOMS[name].folder}/`));
}

/** The room that `#alias/…` names; undefined for an alias of no room. */
export function roomOfAlias(from: string): RoomName | undefined {
  return roomNames().find((name) => from.startsWith(`${ROOMS[name].alias}/`));
}

export function roomNames(): RoomName[] {
  return Object.keys(ROOMS).filter((name): name is RoomName => name in ROOMS);
}
