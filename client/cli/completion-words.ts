// What can be typed where, taken from the command line itself, so that a completion cannot name what is
// not there.

import type { Command } from 'commander';

export interface Words {
  /** Words of the command so far: `articles put`; empty for the program itself. */
  readonly place: string;
  readonly next: readonly Word[];
  readonly options: readonly OptionWord[];
}

export interface Word {
  readonly name: string;
  readonly description: string;
}

export interface OptionWord extends Word {
  readonly short?: string | undefined;
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

const HELP: OptionWord = {
  name: '--help',
  description: 'show help',
  takesValue: false,
  values: [],
};

export function wordsOf(program: Command): Words[] {
  return wordsAt(program, '', optionsOf(program));
}

function wordsAt(command: Command, place: string, everywhere: readonly OptionWord[]): Words[] {
  const own = place === '' ? [] : optionsOf(command);
  const subcommands = command.commands.filter((one) => one.name() !== 'help');
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const next = [
    ...subcommands.map((one) => ({ name: one.name(), description: one.description() })),
    ...choices.map((name) => ({ name, description: '' })),
  ];
  return [
    { place, next, options: [...own, ...everywhere, HELP] },
    ...subcommands.flatMap((one) => wordsAt(one, `${place} ${one.name()}`.trim(), everywhere)),
  ];
}

function optionsOf(command: Command): OptionWord[] {
  return command.options
    .filter(({ hidden, long }) => !hidden && long !== undefined)
    .map(({ long = '', short, required, optional, argChoices, description }) => ({
      name: long,
      short,
      description,
      takesValue: required || optional,
      values: argChoices ?? [],
    }));
}

/** Options that take a value, each once. */
export function optionsWithValues(words: readonly Words[]): OptionWord[] {
  const options = words.flatMap((at) => at.options).filter(({ takesValue }) => takesValue);
  return [...new Map(options.map((option) => [option.name, option])).values()];
}

/** How one word leads on: from `articles` by `put` to `articles put`. */
export function steps(words: readonly Words[]): { from: string; word: string; to: string }[] {
  return words
    .filter(({ place }) => place !== '')
    .map(({ place }) => {
      const [word = '', ...before] = place.split(' ').toReversed();
      return { from: before.toReversed().join(' '), word, to: place };
    });
}
