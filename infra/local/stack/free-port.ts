// A TCP port nobody listens on, on loopback. The kernel hands ephemeral ports out in turn, so that
// one just given back is not given to somebody else at once; callers still fail when it is taken.

import { createServer } from 'node:net';

export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
