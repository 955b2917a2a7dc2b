// Files in S3, for the two functions that touch them.

import { readResource } from '#handlers/config.ts';
import type { EdgeWiring } from '#handlers/edge-wiring.ts';
import { createFileStore, createS3Client } from '#store/file-store.ts';

/** @throws ConfigError */
export function fileStoreOf({ environment, config }: EdgeWiring) {
  const bucket = readResource(environment, 'EXPORTS_BUCKET');
  const client = createS3Client({ forcePathStyle: config.S3_FORCE_PATH_STYLE });
  return createFileStore(client, bucket);
}
