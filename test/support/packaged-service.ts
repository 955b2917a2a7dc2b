// `serverless package` run once, in a copy of the repository, as `npm run package` does; and what
// comes out: the CloudFormation template and the bundles. Without network and without credentials.

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Resource {
  readonly Type: string;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation is a tree of anything; tests name what they expect
  readonly Properties: any;
}

export interface PackagedService {
  readonly folder: string;
  readonly resources: Readonly<Record<string, Resource>>;
  ofType(type: string): [string, Resource][];
  remove(): void;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** @param options of `serverless package`, such as `--param=name=value` */
export async function packageService(options: string[] = []): Promise<PackagedService> {
  const folder = copyRepository();
  await run(
    join(ROOT, 'node_modules/.bin/serverless'),
    ['package', '--stage', 'prod', ...options],
    {
      cwd: folder,
      env: {
        // A home without credentials, a PATH with this Node.
        HOME: folder,
        PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      },
    },
  );
  const file = join(folder, '.serverless/cloudformation-template-update-stack.json');
  const { Resources: resources } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    folder,
    resources,
    ofType: (type) =>
      Object.entries<Resource>(resources).filter(([, resource]) => resource.Type === type),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What packaging and building read; node_modules is shared. */
export function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'export-once-package-'));
  for (const name of ['package.json', 'tsconfig.json', 'serverless.yml', 'infra', 'functions']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  for (const name of ['client', 'docs']) {
    if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(folder, name));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
