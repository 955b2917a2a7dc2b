// The tables as the code knows them. infra/tables.yml says the same to AWS; a test compares the two.

export type TableNames = {
  readonly idempotencyKeys: string;
  readonly exportJobs: string;
  readonly businessKeys: string;
  readonly articles: string;
  readonly notifications: string;
};

export type TableShape = {
  readonly hash: string;
  readonly range?: string;
  /** The attribute that DynamoDB's TTL reads; absent where nothing may ever be removed by time. */
  readonly ttl?: 'purgeAtSeconds';
  readonly indexes?: Readonly<Record<string, { readonly hash: string; readonly range: string }>>;
};

export const TABLES = {
  idempotencyKeys: { hash: 'pk', ttl: 'purgeAtSeconds' },
  exportJobs: {
    hash: 'owner',
    range: 'jobId',
    ttl: 'purgeAtSeconds',
    indexes: { UnfinishedJobs: { hash: 'sweepShard', range: 'dueAtMs' } },
  },
  businessKeys: { hash: 'pk' },
  articles: {
    hash: 'owner',
    range: 'articleId',
    indexes: { ArticleList: { hash: 'owner', range: 'articleId' } },
  },
  notifications: {
    hash: 'owner',
    range: 'notificationId',
    ttl: 'purgeAtSeconds',
    indexes: { DueNotifications: { hash: 'dueShard', range: 'dueAtMs' } },
  },
} as const satisfies Record<keyof TableNames, TableShape>;
