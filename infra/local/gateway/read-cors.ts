// What serverless.yml says of browsers (`provider.httpApi.cors`): nothing, the configuration itself, or a
// file that makes it of the allowed origins. That file is asked here as `serverless` asks it, so that one
// machine lets in whom a stage would.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import * as z from 'zod';
import { Sentence } from '#local/stack/sentence.ts';

const corsSchema = z.union([
  z.literal(false),
  z.object({
    allowedOrigins: z.array(z.string()),
    allowedMethods: z.array(z.string()),
    allowedHeaders: z.array(z.string()),
    exposedResponseHeaders: z.array(z.string()),
    maxAge: z.int(),
  }),
]);
export type Cors = z.infer<typeof corsSchema>;

const serviceSchema = z.object({
  provider: z.object({ httpApi: z.object({ cors: z.unknown() }).partial().optional() }),
});
const FILE_VARIABLE = /^\$\{file\(([^)]+)\):(\w+)\}$/;

/**
 * @param allowedOrigins stands for the parameter of that name
 * @throws Sentence
 */
export async function readCors(serviceFile: string, allowedOrigins: string): Promise<Cors> {
  const { provider } = serviceSchema.parse(parse(readFileSync(serviceFile, 'utf8')));
  const said = provider.httpApi?.cors ?? false;
  const [, path, name] = (typeof said === 'string' && FILE_VARIABLE.exec(said)) || [];
  if (path === undefined || name === undefined) return understood(serviceFile, said);
  const module = await import(pathToFileURL(resolve(dirname(serviceFile), path)).href);
  try {
    return understood(serviceFile, await module[name]({ resolveVariable: () => allowedOrigins }));
  } catch (failure) {
    if (failure instanceof Error) throw new Sentence(failure.message);
    throw failure;
  }
}

function understood(serviceFile: string, value: unknown): Cors {
  const parsed = corsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Sentence(`${serviceFile}: httpApi.cors is not understood by the local stack.`);
}
