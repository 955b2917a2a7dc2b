// Progress of long work on stderr: one line that is rewritten for a person, a line now and then in a log.

export type Progress = {
  readonly say: (line: string) => void;
  readonly show: (line: string) => void;
  readonly clear: () => void;
};

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

/** Between two lines, milliseconds. */
const PERSON_MS = 200;
const LOG_MS = 10_000;

export function progressTo(stream: Stream, now: () => number = Date.now): Progress {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let isDirty = false;
  const clear = () => {
    if (isDirty) stream.write('\r\u001b[K');
    isDirty = false;
  };
  return {
    clear,
    say(line) {
      clear();
      stream.write(`${line}\n`);
    },
    show(line) {
      if (now() - shownAtMs < (stream.isTTY ? PERSON_MS : LOG_MS)) return;
      shownAtMs = now();
      if (!stream.isTTY) return void stream.write(`${line}\n`);
      stream.write(`\r\u001b[K${line}`);
      isDirty = true;
    },
  };
}
