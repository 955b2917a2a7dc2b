// What a person or a program gets to read. Results go to stdout, everything said on the way to stderr;
// with --json each result is one line of JSON. Must never fail: what cannot be told is no reason to stop,
// and how much was told is asked for at the end.

import { linesTo, type Progress, progressBar } from '#client/cli/progress.ts';
import { type Told, toldStream } from '#client/cli/told-stream.ts';

export interface Output {
  readonly json: boolean;
  /** The result: for programs, and for people. */
  readonly result: (value: object, text: string) => void;
  /** A result behind the first one: people read it on stderr, so that stdout holds the first alone. */
  readonly followed: (value: object, text: string) => void;
  /** A result that is bytes of its own: a file, a text. */
  readonly raw: (bytes: string | Uint8Array) => Promise<void>;
  /** Said on the way; silent with --json. */
  readonly note: (text: string) => void;
  /** Said on the way whoever reads: on stderr, which --json leaves to people. */
  readonly aside: (text: string) => void;
  /** Something went wrong; with --json also as JSON on stdout. */
  readonly failure: (value: object, text: string) => void;
  readonly progress: (unit: string) => Progress;
  /** False: nothing more that is written to stdout reaches anybody. */
  readonly isHeard: () => boolean;
  /** Waits until stdout has taken or refused everything. */
  readonly told: () => Promise<Told>;
}

export interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

export interface OutputOptions {
  readonly json: boolean;
  /** TERM: a dumb terminal gets no escape sequence. */
  readonly terminal?: string | undefined;
}

export function outputTo({ stdout, stderr }: Streams, { json, terminal }: OutputOptions): Output {
  const results = toldStream(stdout);
  const asides = toldStream(stderr);
  const aside = (text: string) => void asides.write(`${text}\n`);
  const say = (text: string) => {
    last = text;
    void results.write(`${text}\n`);
  };
  let last = '';
  const note = (text: string) => {
    if (!json) aside(text);
  };
  const hasCursor = stderr.isTTY === true && terminal !== 'dumb';
  return {
    json,
    result: (value, text) => say(json ? JSON.stringify(value) : text),
    followed(value, text) {
      if (json) say(JSON.stringify(value));
      else aside(text);
    },
    raw: (bytes) => results.write(bytes),
    note,
    aside,
    failure(value, text) {
      if (json) say(JSON.stringify(value));
      else aside(text);
    },
    progress: (unit) =>
      hasCursor && !json && asides.sofar().kind === 'told'
        ? progressBar(stderr, unit)
        : linesTo(note, unit),
    isHeard: () => results.sofar().kind === 'told',
    async told() {
      const told = await results.settled();
      // What stdout has lost is told once more, where it may still be heard.
      if (told.kind === 'not-written') {
        const lost = last === '' ? '' : ` It was to be told: ${last}`;
        aside(`Standard output could not be written (${told.why}).${lost}`);
      }
      await asides.settled();
      return told;
    },
  };
}
