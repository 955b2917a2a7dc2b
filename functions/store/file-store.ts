// Files in S3. A finished file is put in one request with its length; a reader gets a presigned URL.

import { createReadStream } from 'node:fs';
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { FilePort } from '#export-jobs/file-port.ts';
import { withTimeLimit } from '#store/send-once.ts';

/** Storing a file is safe to repeat: the same key, the same bytes. */
const PUT_TRIES_MAX = 3;

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

    async fileExists(Key, timeoutMs) {
      try {
        const command = new HeadObjectCommand({ Bucket, Key });
        await withTimeLimit(timeoutMs, (options) => client.send(command, options));
        return { kind: 'found', value: true };
      } catch (error) {
        const { name } = error as Error;
        return { kind: name === 'NotFound' || name === 'NoSuchKey' ? 'none' : 'failed' };
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
