// Files in S3. A finished file is put in one request with its length; a reader gets a presigned URL.

import { createReadStream } from 'node:fs';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { FilePort } from '#export-jobs/file-port.ts';
import { withTimeLimit } from '#store/time-limit.ts';

/** Storing a file is safe to repeat: the same key, the same bytes. */
const PUT_TRIES_MAX = 3;
const FIRST_BYTE = 'bytes=0-0';

export function createS3Client(options: { readonly forcePathStyle: boolean }): S3Client {
  return new S3Client({
    forcePathStyle: options.forcePathStyle,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 2_000, socketTimeout: 30_000 },
  });
}

export function createFileStore(client: S3Client, Bucket: string): FilePort {
  return {
    async putFile({ key: Key, path, bytes, contentType, disposition }, signal) {
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted();
        try {
          await client.send(
            new PutObjectCommand({
              Bucket,
              Key,
              Body: createReadStream(path),
              ContentLength: bytes,
              ContentType: contentType,
              ContentDisposition: disposition,
            }),
            { abortSignal: signal },
          );
          return;
        } catch (error) {
          if (tries >= PUT_TRIES_MAX) throw error;
        }
      }
    },

    // Not by HEAD: its 404 has no body, so that a missing bucket looks like a missing file.
    async fileExists(Key, timeoutMs) {
      try {
        const command = new GetObjectCommand({ Bucket, Key, Range: FIRST_BYTE });
        await withTimeLimit(timeoutMs, async (limit) => {
          const { Body } = await client.send(command, limit);
          await Body?.transformToByteArray();
        });
        return { kind: 'found', value: true };
      } catch (error) {
        const name = error instanceof Error ? error.name : '';
        if (name === 'InvalidRange') return { kind: 'found', value: true }; // it is there, and empty
        return { kind: name === 'NoSuchKey' ? 'none' : 'failed' };
      }
    },

    downloadUrl(Key, expiresIn, nowMs) {
      return getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), {
        expiresIn,
        signingDate: new Date(nowMs),
      });
    },
  };
}
