// The numbered guarantees above a port's type, read from its source, and what a suite leaves out of them.

import * as z from 'zod';

const NUMBERED = /^\s*\*\s+(\d+)\.\s/;
/** A port is a type of its own; one that only names another port's effect has that port's guarantees. */
const PORT = /^export type (\w+Port)\b(?:<\w+>)? = (.*)$/;
const TITLE = /^(\d+)\. \S/;

/** The ports of a file, by name, with the numbers of the list right above each. */
export function portsIn(source: string): ReadonlyMap<string, readonly number[]> {
  const ports = new Map<string, readonly number[]>();
  let numbers: number[] = [];
  for (const line of source.split('\n')) {
    const numbered = NUMBERED.exec(line);
    const port = PORT.exec(line);
    if (numbered) numbers.push(Number(numbered[1]));
    if (port?.[1] && !/^\w+Port</.test(port[2] ?? '')) ports.set(port[1], numbers);
    // A list belongs to the type right under its comment, and to no later one.
    if (!/^\s*(\/\*\*|\*)/.test(line)) numbers = [];
  }
  return ports;
}

/** What is wrong between a list of guarantees and the titles of its cases; empty when nothing is. */
export function gapsOf(numbers: readonly number[], titles: readonly string[]): readonly string[] {
  const shown = new Set(titles.map(numberOf));
  return [
    ...(numbers.length === 0 ? ['has no numbered guarantee'] : []),
    ...numbers
      .filter((number, index) => number !== index + 1)
      .map((number) => `guarantee ${number} is not where it is counted`),
    ...numbers.filter((number) => !shown.has(number)).map((n) => `guarantee ${n} has no case`),
    ...titles
      .filter((title) => !numbers.includes(numberOf(title)))
      .map((title) => `no guarantee has the number of "${title}"`),
  ];
}

/** The number that a title begins with; 0 where there is none. */
function numberOf(title: string): number {
  return z.coerce.number().parse(TITLE.exec(title)?.[1] ?? 0);
}
