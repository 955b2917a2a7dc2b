// Files in S3, for the two functions that touch them.

import type { Wiring } from '#handlers/wiring.ts';
import { createFileStore, createS3Client } from '#store/file-store.ts';

export function fileStoreOf({ config }: Wiring) {
  const client = createS3Client({ forcePathStyle: config.S3_FORCE_PATH_STYLE });
  return createFileStore(client, config.EXPORTS_BUCKET);
}
