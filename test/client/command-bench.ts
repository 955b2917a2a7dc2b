// What tests of the command against a scripted service share: the built command, a server, a folder of the
// test's own. Imported by a test file, it sets itself up for that file.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type CommandLine, commandLine, type Ended } from '#test/client/command.ts';
import {
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '#test/client/scripted-server.ts';
import { wholeService } from '#test/client/whole-service.ts';

export let server: ScriptedServer;
export let command: CommandLine;
export let folder: string;
export let env: Record<string, string>;

beforeAll(async () => {
  command = await commandLine('', 'token');
});
afterAll(() => command.remove());
beforeEach(async () => {
  server = await startScriptedServer();
  folder = mkdtempSync(join(tmpdir(), 'export-once-command-bench-'));
  env = { EXPORT_ONCE_URL: server.url };
  serve(wholeService);
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The next requests meet these steps, and those after them a service that does what is asked. */
export function serve(...steps: Step[]): void {
  server.scriptOthers(...steps, ...Array.from({ length: 50 }, () => wholeService));
}
export const run = (...args: string[]): Promise<Ended> => command.run(args, env);
