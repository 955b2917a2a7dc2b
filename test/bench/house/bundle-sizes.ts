// The bytes of every handler's bundle, as the checkout's own build writes them. Builds into the checkout's
// `.build`, which git ignores.

import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLES = '.build/functions/handlers';

export function measureBundles(root: string): ReadonlyMap<string, number> {
  execFileSync(process.execPath, ['infra/build.ts'], { cwd: root, stdio: 'ignore' });
  const names = readdirSync(join(root, BUNDLES)).sort();
  return new Map(names.map((name) => [name, statSync(join(root, BUNDLES, name)).size]));
}
