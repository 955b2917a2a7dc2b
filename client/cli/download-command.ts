// `download`: the finished file, under its name only when it is whole and its digest is right.

import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode, LocalError } from '#client/cli/exit-codes.ts';
import { isStoppedError } from '#client/errors.ts';
import type { ExportFormat } from '#client/export-job.ts';

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  text: 'txt',
  markdown: 'md',
  html: 'html',
  epub: 'epub',
  json: 'json',
};

export interface DownloadFlags {
  readonly output?: string;
  readonly force: boolean;
  readonly timeoutMs?: number;
}

export async function downloadCommand(
  jobId: string,
  { output, force, timeoutMs }: DownloadFlags,
  { client, out, signal }: Commands,
): Promise<ExitCode> {
  const file =
    output ?? `${jobId}.${EXTENSIONS[(await client.getJob(jobId, { signal })).format] ?? 'bin'}`;
  if (!force && existsSync(file)) throw existsAlready(file);
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  const progress = out.progress('bytes');
  try {
    const to = Writable.toWeb(createWriteStream(part, { flags: 'wx' }));
    const { bytes, sha256 } = await client.downloadFile(jobId, to, {
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      onProgress: (done, total) => progress.show(done, total, ''),
    });
    progress.stop();
    if (force) await rename(part, file);
    // A link refuses to replace what has appeared meanwhile.
    else await link(part, file);
    out.result({ file, bytes, sha256 }, `Saved ${bytes} bytes in ${file}`);
    return EXIT.done;
  } catch (error) {
    progress.stop();
    const cause = isStoppedError(error) && error.code === 'callback-failed' ? error.cause : error;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsAlready(file);
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code))
      throw new LocalError(message, { cause });
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

function existsAlready(file: string): LocalError {
  return new LocalError(`${file} exists already; --force replaces it.`);
}
