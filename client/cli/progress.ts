// Progress as it is shown: a bar where a person watches a terminal that can move its cursor, and a plain
// line for each change elsewhere.

import { SingleBar } from 'cli-progress';

export interface Progress {
  readonly show: (done: number, total: number, label: string) => void;
  readonly stop: () => void;
}

export function progressBar(stream: NodeJS.WritableStream, unit: string): Progress {
  const bar = new SingleBar({
    stream,
    format: `{bar} {value}/{total} ${unit}  {label}`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    hideCursor: true,
    clearOnComplete: false,
  });
  let started = false;
  return {
    show(done, total, label) {
      if (!started) bar.start(total, done, { label });
      else bar.update(done, { label });
      started = true;
    },
    stop: () => bar.stop(),
  };
}

/** A line for each change, not for each byte. */
export function linesTo(note: (text: string) => void, unit: string): Progress {
  let last = '';
  return {
    show(done, total, label) {
      const tenth = total === 0 ? 10 : Math.floor((10 * done) / total);
      const line =
        `${label} ${unit === 'bytes' ? `${tenth}0%` : `${done}/${total} ${unit}`}`.trim();
      if (line !== last) note(line);
      last = line;
    },
    stop() {},
  };
}
