// How handlers become bundles: one place for `serverless package` (serverless-esbuild reads this file
// by `custom.esbuild.config`) and for infra/build.ts. Promises: ES modules that initialise on Lambda;
// everything they need inside, the AWS SDK in the locked version too.

import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

export const BUNDLE_EXTENSION = '.mjs';
/** Entry of the worker thread that run-job starts: a file of its own, next to run-job's bundle. */
export const THREAD_ENTRY = 'functions/handlers/render-article-thread.ts';
const THREAD_OWNER = 'run-job';

export const bundleSettings = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Prefer ES modules of dependencies; packages without one are CommonJS and still call `require`:
  // without the banner they die at init with "Dynamic require of … is not supported".
  mainFields: ['module', 'main'],
  banner: {
    js: "import{createRequire as createRequireOfBundle}from'node:module';const require=createRequireOfBundle(import.meta.url);",
  },
  // Names stay, so that a stack trace in a log can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Names the thread's bundle where the source names its `.ts` file. */
const nameThreadBundle: Plugin = {
  name: 'name-thread-bundle',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]functions[\\/]handlers[\\/][^\\/]+\.ts$/ }, async ({ path }) => {
      const { readFile } = await import('node:fs/promises');
      const source = await readFile(path, 'utf8');
      const from = basename(THREAD_ENTRY);
      return {
        contents: source.replaceAll(from, from.replace(/\.ts$/, BUNDLE_EXTENSION)),
        loader: 'ts',
      };
    });
  },
};

/** Puts the text of a package's file where the source reads it from the package. */
const embedPackageFiles: Plugin = {
  name: 'embed-package-files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]http[\\/]pages[\\/]swagger-files\.ts$/ }, async ({ path }) => {
      const { readFile } = await import('node:fs/promises');
      const { createRequire } = await import('node:module');
      const { resolve } = createRequire(path);
      let contents = await readFile(path, 'utf8');
      for (const [call, specifier = ''] of contents.matchAll(/\btextOfPackageFile\('([^']+)'\)/g)) {
        const text = JSON.stringify(await readFile(resolve(specifier), 'utf8'));
        contents = contents.replace(call, () => text);
      }
      return { contents, loader: 'ts' };
    });
  },
};

/** Bundles the thread whenever run-job is bundled. `folderOf` says where, given run-job's outdir. */
function withThread(folderOf: (outdir: string) => string): Plugin {
  return {
    name: 'with-thread',
    setup({ initialOptions, onEnd }) {
      const entries = [initialOptions.entryPoints ?? []].flat() as string[];
      const outdir = initialOptions.outdir;
      if (outdir === undefined || !entries.some((entry) => entry.includes(THREAD_OWNER))) return;
      onEnd(async ({ errors }) => {
        if (errors.length > 0) return;
        await build({
          ...bundleSettings,
          entryPoints: [THREAD_ENTRY],
          outfile: join(folderOf(outdir), basename(THREAD_ENTRY, '.ts') + BUNDLE_EXTENSION),
        });
      });
    },
  };
}

/** For infra/build.ts: everything next to each other. */
export const plugins: Plugin[] = [
  nameThreadBundle,
  embedPackageFiles,
  withThread((outdir) => outdir),
];

/** For serverless-esbuild: files under `__only_<function>/` go into that function's package alone. */
function forServerless() {
  const inPackage = (outdir: string) =>
    join(dirname(dirname(outdir)), '__only_runJob', 'functions', 'handlers');
  return {
    ...bundleSettings,
    exclude: [],
    concurrency: 2,
    outputFileExtension: BUNDLE_EXTENSION,
    plugins: [nameThreadBundle, embedPackageFiles, withThread(inPackage)],
  };
}

// The plugin loads this with `require` and calls what it gets.
export { forServerless as 'module.exports' };
