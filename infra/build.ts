// `npm run build`: bundles every handler into .build/ as deploying would, and prints the sizes.
// A handler that does not bundle fails the build.

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE_EXTENSION, bundleSettings, plugins } from './bundling.ts';

const HANDLERS = 'functions/handlers';
const OUTDIR = join('.build', HANDLERS);

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
rmSync('.build', { recursive: true, force: true });
// Configuration and wiring lie there too; an entry point exports a handler.
const entries = readdirSync(HANDLERS)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(HANDLERS, name))
  .filter((file) =>
    /^export (const|async function|function) handler\b/m.test(readFileSync(file, 'utf8')),
  );
if (entries.length === 0) throw new Error(`${HANDLERS} holds no handler`);
const { metafile } = await build({
  ...bundleSettings,
  entryPoints: entries,
  outdir: OUTDIR,
  outExtension: { '.js': BUNDLE_EXTENSION },
  plugins,
  metafile: true,
});
// What each bundle carries, for whoever asks why it is as large as it is.
writeFileSync(join('.build', 'meta.json'), JSON.stringify(metafile));
for (const name of readdirSync(OUTDIR)) {
  const kb = Math.round(statSync(join(OUTDIR, name)).size / 1024);
  process.stdout.write(`${String(kb).padStart(6)} KB  ${name}\n`);
}
