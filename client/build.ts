// `node client/build.ts`: makes the two packages that callers install, in client/dist: the client (as ES
// module and as CommonJS, each with its types, nothing to install with it, nothing of Node imported) and
// the command (one file). Promises: no type names a file outside the package; what is bundled is licensed
// in the package. A build that cannot keep that fails.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'client');

/** @param outDir the folder of the package is made in it @returns that folder */
export async function buildClientPackage(outDir: string): Promise<string> {
  const folder = emptyFolder(outDir, 'export-once-client');
  for (const { format, js } of MODULE_KINDS) {
    await build({
      ...SETTINGS,
      format,
      entryPoints: [join(SOURCE, 'index.ts')],
      outfile: join(folder, `index.${js}`),
      platform: 'neutral',
    });
  }
  writeTypes(folder);
  copyPapers(folder, 'client');
  return folder;
}

/** @param outDir the folder of the package is made in it @returns that folder */
export async function buildCommandPackage(outDir: string): Promise<string> {
  const folder = emptyFolder(outDir, 'export-once');
  const { metafile } = await build({
    ...SETTINGS,
    entryPoints: [join(SOURCE, 'cli/export-once.ts')],
    outfile: join(folder, 'export-once.js'),
    platform: 'node',
    metafile: true,
    // cli-progress is CommonJS and calls `require`, which an ES module does not have.
    banner: {
      js: "#!/usr/bin/env node\nimport{createRequire as createRequireOfBundle}from'node:module';const require=createRequireOfBundle(import.meta.url);",
    },
  });
  chmodSync(join(folder, 'export-once.js'), 0o755);
  const packages = packagesIn(Object.keys(metafile.inputs));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licencesOf(packages));
  copyPapers(folder, 'command');
  return folder;
}

function emptyFolder(outDir: string, name: string): string {
  const folder = join(outDir, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function copyPapers(folder: string, from: 'client' | 'command'): void {
  for (const name of ['package.json', 'README.md']) {
    copyFileSync(join(SOURCE, 'package', from, name), join(folder, name));
  }
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

const SETTINGS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** TypeScript takes a file's types for those of the kind of module that their own ending says. */
const MODULE_KINDS = [
  { format: 'esm', js: 'js', types: 'd.ts' },
  { format: 'cjs', js: 'cjs', types: 'd.cts' },
] as const;

/** Declarations of index.ts and of what it names; room imports become relative ones. */
function writeTypes(folder: string): void {
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  const scratch = mkdtempSync(join(ROOT, '.build/client-types-'));
  try {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      files: [join(SOURCE, 'index.ts')],
      include: [],
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: ROOT,
        outDir: join(scratch, 'out'),
      },
    };
    writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', scratch], { stdio: 'inherit' });
    const declared = join(scratch, 'out/client');
    for (const kind of MODULE_KINDS) rewriteTypes(declared, folder, kind);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function rewriteTypes(
  declared: string,
  folder: string,
  { js, types }: { readonly js: string; readonly types: string },
): void {
  const left = ['index'];
  const written = new Set<string>();
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (written.has(name)) continue;
    written.add(name);
    const text = readFileSync(join(declared, `${name}.d.ts`), 'utf8').replace(
      /(["'])#([a-z-]+)\/([a-z0-9-]+)\.ts\1/g,
      (...[, quote, room, file]: readonly string[]) => {
        if (room !== 'client') throw new Error(`${name}.d.ts names #${room}/${file}.ts`);
        left.push(`${file}`);
        return `${quote}./${file}.${js}${quote}`;
      },
    );
    if (/["']#/.test(text)) throw new Error(`${name}.d.ts names a file outside the package`);
    writeFileSync(join(folder, `${name}.${types}`), text);
  }
}

function packagesIn(inputs: readonly string[]): string[] {
  const folders = inputs.flatMap(
    (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
  return [...new Set(folders)].toSorted();
}

function licencesOf(packages: readonly string[]): string {
  const texts = packages.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    ) as Record<string, string>;
    const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file to pass on`);
    const text = readFileSync(join(ROOT, folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `This package contains:\n\n${texts.join(`\n${'-'.repeat(78)}\n\n`)}`;
}

if (import.meta.main) {
  const outDir = join(SOURCE, 'dist');
  for (const folder of [await buildClientPackage(outDir), await buildCommandPackage(outDir)]) {
    const bytes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    const kb = Math.round(bytes.reduce((total, one) => total + one, 0) / 1024);
    process.stdout.write(`${`${kb}`.padStart(6)} KB  client/dist/${basename(folder)}\n`);
  }
}
