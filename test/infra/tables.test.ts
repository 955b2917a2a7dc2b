import { describe, expect, it } from 'vitest';
import { readTables } from '#local/dynamodb/make-tables.ts';
import { TABLES, type TableShape } from '#store/tables.ts';

describe('infra/tables.yml', () => {
  it('defines the tables that the store knows, with the same keys, indexes and TTL', () => {
    const inCode = Object.fromEntries(
      Object.entries<TableShape>(TABLES).map(([name, shape]) => [
        name[0]?.toUpperCase() + name.slice(1),
        { range: undefined, ttl: undefined, indexes: {}, ...shape },
      ]),
    );
    const inTemplate = Object.fromEntries(
      readTables().map(({ name, create, ttlAttribute }) => [
        name,
        {
          ...keysOf(create.KeySchema),
          ttl: ttlAttribute,
          indexes: Object.fromEntries(
            (create.GlobalSecondaryIndexes ?? []).map((index) => [
              index.IndexName,
              keysOf(index.KeySchema),
            ]),
          ),
        },
      ]),
    );

    expect(inTemplate).toEqual(inCode);
  });
});

function keysOf(
  schema: readonly { AttributeName?: string | undefined; KeyType?: string | undefined }[] = [],
) {
  const named = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  return { hash: named('HASH'), range: named('RANGE') };
}
