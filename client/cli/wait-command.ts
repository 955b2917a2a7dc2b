// `wait`: until a job has finished. What fails on the way is shown, and an end without any answer about
// the job is never called a job that goes on.

import type { Commands } from '#client/cli/commands.ts';
import { EXIT, type ExitCode } from '#client/cli/exit-codes.ts';
import { describeJob } from '#client/cli/job-lines.ts';
import { isStoppedError, NoAnswerError, StoppedError } from '#client/errors.ts';
import type { ExportJob } from '#client/export-job.ts';

export interface WaitFlags {
  readonly timeoutMs?: number | undefined;
}

export async function waitCommand(
  jobId: string,
  flags: WaitFlags,
  commands: Commands,
): Promise<ExitCode> {
  const job = await waitUntilFinished(jobId, flags, commands);
  commands.out.result(job, describeJob(job));
  return job.status === 'succeeded' ? EXIT.done : EXIT.jobEndedOtherwise;
}

export async function waitUntilFinished(
  jobId: string,
  { timeoutMs }: WaitFlags,
  { client, out, wire, signal }: Commands,
): Promise<ExportJob> {
  const progress = out.progress('articles');
  let failing: string | undefined;
  const stopListening = wire.listen(({ came, isFailure }) => {
    failing = isFailure ? came : undefined;
    if (isFailure) out.note(`No answer about the job (${came}); it is asked for again.`);
  });
  try {
    return await client.waitForJob(jobId, {
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      onProgress: (seen) => progress.show(seen.progress.done, seen.progress.total, seen.status),
    });
  } catch (error) {
    throw isStoppedError(error) && error.code === 'deadline-passed' ? late(error, failing) : error;
  } finally {
    stopListening();
    progress.stop();
  }
}

function late({ message, outcome, attempts, job }: StoppedError, failing: string | undefined) {
  if (job === undefined) {
    const why = `No answer about the job came before the deadline (${failing ?? 'none in time'}).`;
    return new NoAnswerError(why, { outcome: 'unknown', attempts });
  }
  const more = failing === undefined ? '' : ` The last answers were missing (${failing}).`;
  return new StoppedError('deadline-passed', message + more, { outcome, attempts, job });
}
