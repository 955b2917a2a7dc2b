// An S3 server on loopback with the exports bucket, its files in a folder. CORS as in infra/bucket.yml.
// It checks signatures with the same key pair that the functions get.

import { createRequire } from 'node:module';
import getPort from 'get-port';

export interface S3Server {
  readonly endpoint: string;
  close(): Promise<void>;
}

export interface S3Options {
  readonly folder: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The package has no types; this is what is used of it. */
interface S3rver {
  run(): Promise<unknown>;
  readonly httpServer: import('node:http').Server;
}

const CORS = `<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><CORSRule>
<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod>
<AllowedHeader>*</AllowedHeader><MaxAgeSeconds>3000</MaxAgeSeconds></CORSRule></CORSConfiguration>`;

export async function startS3Server(options: S3Options): Promise<S3Server> {
  const require = createRequire(import.meta.url);
  const Server: new (settings: object) => S3rver = require('@20minutes/s3rver');
  const { DUMMY_ACCOUNT } = require('@20minutes/s3rver/lib/models/account.js');
  DUMMY_ACCOUNT.createKeyPair(options.accessKeyId, options.secretAccessKey);
  const port = await getPort({ host: '127.0.0.1' });
  const server = new Server({
    address: '127.0.0.1',
    port,
    silent: true,
    vhostBuckets: false,
    directory: options.folder,
    configureBuckets: [{ name: options.bucket, configs: [CORS] }],
  });
  await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.httpServer.close(() => done());
        server.httpServer.closeAllConnections();
      }),
  };
}
