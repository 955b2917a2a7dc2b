// `create --wait` and `create --download`: what follows once the job is there. Must never end with a code
// that says less of the job than that it was created.

import type { Commands } from '#client/cli/commands.ts';
import { defaultName, tellSaved } from '#client/cli/download-command.ts';
import { EXIT, type ExitCode, UsageError } from '#client/cli/exit-codes.ts';
import { describeJob } from '#client/cli/job-lines.ts';
import type { Output } from '#client/cli/output.ts';
import { reportFailure } from '#client/cli/report-failure.ts';
import { refuseUnlessFree, STANDARD_OUTPUT, saveFile } from '#client/cli/save-file.ts';
import { waitUntilFinished } from '#client/cli/wait-command.ts';
import type { ExportFormat } from '#client/export-job.ts';

export interface FollowFlags {
  readonly wait?: boolean | undefined;
  readonly waitTimeoutMs?: number | undefined;
  readonly download?: boolean | undefined;
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
}

/** What cannot be saved afterwards is refused before. @throws UsageError, LocalError */
export function refuseFollowing({ download, output, force = false }: FollowFlags, out: Output) {
  if (output === undefined) return;
  if (!download) throw new UsageError('-o belongs to --download.');
  refuseUnlessFree({ file: output, force }, out);
}

export async function finishCreated(
  jobId: string,
  { flags, format }: { readonly flags: FollowFlags; readonly format: ExportFormat },
  commands: Commands,
): Promise<ExitCode> {
  const { out } = commands;
  if (!flags.wait && !flags.download) {
    out.note(`Next: export-once wait ${jobId}`);
    return EXIT.done;
  }
  try {
    const job = await waitUntilFinished(jobId, { timeoutMs: flags.waitTimeoutMs }, commands);
    if (job.status !== 'succeeded') {
      out.followed(job, describeJob(job));
      return EXIT.jobEndedOtherwise;
    }
    if (!flags.download) {
      out.followed(job, describeJob(job));
      return EXIT.done;
    }
    const target = {
      file: flags.output ?? defaultName(jobId, format),
      force: flags.force ?? false,
    };
    const saved = await saveFile(jobId, { target }, commands);
    if (target.file === STANDARD_OUTPUT) tellSaved(saved, commands);
    else out.followed(saved, `Saved ${saved.bytes} bytes in ${saved.file}`);
    return EXIT.done;
  } catch (error) {
    return reportFailure(error, { kind: 'after-create' }, out);
  }
}
