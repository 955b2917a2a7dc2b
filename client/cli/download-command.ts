// `download`: the file of a job that has finished.

import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';
import { EXTENSIONS } from '#client/cli/formats.ts';
import {
  refuseUnlessFree,
  type SavedFile,
  STANDARD_OUTPUT,
  saveFile,
} from '#client/cli/save-file.ts';
import type { ExportFormat } from '#client/export-job.ts';

export interface DownloadFlags {
  readonly output?: string | undefined;
  readonly force: boolean;
  readonly timeoutMs?: number | undefined;
}

export async function downloadCommand(
  jobId: string,
  { output, force, timeoutMs }: DownloadFlags,
  commands: Commands,
): Promise<ExitCode> {
  const { client, out, signal } = commands;
  if (output !== undefined) refuseUnlessFree({ file: output, force }, out);
  const file = output ?? defaultName(jobId, (await client.getJob(jobId, { signal })).format);
  tellSaved(await saveFile(jobId, { target: { file, force }, timeoutMs }, commands), commands);
  return EXIT.done;
}

/** Beside bytes on standard output nothing else is written there. */
export function tellSaved(saved: SavedFile, { out }: Commands): void {
  const text = `Saved ${saved.bytes} bytes in ${saved.file}`;
  if (saved.file === STANDARD_OUTPUT) out.note(`Written: ${saved.bytes} bytes.`);
  else out.result(saved, text);
}

/** A newer service may have formats that are not known here. */
export function defaultName(jobId: string, format: ExportFormat): string {
  return `${jobId}.${EXTENSIONS[format] ?? 'bin'}`;
}
