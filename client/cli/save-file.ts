// A finished file, under its name only when it is whole and its digest is right; `-` is standard output,
// which gets its first byte then. Must never replace what is no regular file, nor anything unasked.

import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Commands } from '#client/cli/commands.ts';
import { LocalError, messageOf, systemCodeOf, UsageError } from '#client/cli/exit-codes.ts';
import type { Output } from '#client/cli/output.ts';
import { isStoppedError } from '#client/errors.ts';

export const STANDARD_OUTPUT = '-';

export interface Target {
  readonly file: string;
  readonly force: boolean;
}

export interface SavedFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface SaveOptions {
  readonly target: Target;
  readonly timeoutMs?: number | undefined;
}

/** @throws LocalError, UsageError when nothing may be saved there */
export function refuseUnlessFree({ file, force }: Target, { json }: Output): void {
  if (file === STANDARD_OUTPUT) {
    if (json) throw new UsageError('--json and -o - would both write to standard output.');
    return;
  }
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isFile()) {
    throw new LocalError(
      `${file} is no regular file, and only those are replaced. -o - writes to standard output.`,
    );
  }
  if (!force) throw new LocalError(`${file} exists already; --force replaces it.`);
}

export async function saveFile(
  jobId: string,
  { target, timeoutMs }: SaveOptions,
  commands: Commands,
): Promise<SavedFile> {
  refuseUnlessFree(target, commands.out);
  const isPiped = target.file === STANDARD_OUTPUT;
  const folder = isPiped ? temporaryFolder() : undefined;
  const part = folder
    ? join(folder, 'file.part')
    : `${target.file}.${randomBytes(4).toString('hex')}.part`;
  try {
    const { bytes, sha256 } = await fetchTo(part, { jobId, timeoutMs }, commands);
    if (isPiped) await copyTo(commands.out, part);
    else await giveName(part, target, commands.out);
    return { file: target.file, bytes, sha256 };
  } catch (error) {
    throw localIfOurs(error);
  } finally {
    // What is left of it is no reason to call a saved file unsaved.
    await rm(part, { force: true }).catch(() => {});
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}

async function fetchTo(
  part: string,
  { jobId, timeoutMs }: { readonly jobId: string; readonly timeoutMs: number | undefined },
  { client, out, signal }: Commands,
) {
  const progress = out.progress('bytes');
  try {
    const to = Writable.toWeb(createWriteStream(part, { flags: 'wx', mode: 0o600 }));
    return await client.downloadFile(jobId, to, {
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      onProgress: (done, total) => progress.show(done, total, ''),
    });
  } finally {
    progress.stop();
  }
}

/** It is whole and right here: a slow reader has all the time it wants. */
async function copyTo(out: Output, part: string): Promise<void> {
  for await (const chunk of createReadStream(part)) {
    await out.raw(chunk);
    if (!out.isHeard()) return;
  }
}

async function giveName(part: string, target: Target, out: Output): Promise<void> {
  if (target.force) {
    // Something else may have taken the name while the file came.
    refuseUnlessFree(target, out);
    await rename(part, target.file);
    return;
  }
  try {
    // A link refuses to replace what has appeared meanwhile.
    await link(part, target.file);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') refuseUnlessFree(target, out);
    throw error;
  }
}

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'export-once-'));
  } catch (cause) {
    throw new LocalError(`No temporary file can be made: ${messageOf(cause)}`, { cause });
  }
}

function localIfOurs(error: unknown): unknown {
  const cause = isStoppedError(error) && error.code === 'callback-failed' ? error.cause : error;
  return /^E[A-Z]+$/.test(systemCodeOf(cause) ?? '')
    ? new LocalError(messageOf(cause), { cause })
    : error;
}
