// What a person or a program gets to read. Results go to stdout, everything said on the way to stderr;
// with --json each result is one line of JSON. A progress bar only where a person watches.

import { SingleBar } from 'cli-progress';

export interface Output {
  readonly json: boolean;
  /** The result: for programs, and for people. */
  readonly result: (value: object, text: string) => void;
  /** Said on the way; silent with --json. */
  readonly note: (text: string) => void;
  /** Something went wrong; with --json also as JSON on stdout. */
  readonly failure: (value: object, text: string) => void;
  readonly progress: (unit: string) => Progress;
}

export interface Progress {
  readonly show: (done: number, total: number, label: string) => void;
  readonly stop: () => void;
}

export interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export function outputTo({ stdout, stderr }: Streams, json: boolean): Output {
  const say = (stream: NodeJS.WritableStream, text: string) => void stream.write(`${text}\n`);
  const note = (text: string) => {
    if (!json) say(stderr, text);
  };
  return {
    json,
    result: (value, text) => say(stdout, json ? JSON.stringify(value) : text),
    note,
    failure(value, text) {
      if (json) say(stdout, JSON.stringify(value));
      else say(stderr, text);
    },
    progress: (unit) => (stderr.isTTY && !json ? barOn(stderr, unit) : linesTo(note, unit)),
  };
}

function barOn(stream: NodeJS.WritableStream, unit: string): Progress {
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
function linesTo(note: (text: string) => void, unit: string): Progress {
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
