// Every numbered guarantee of every port has a case on every adapter, and no case has a number that is not
// there. A port without a suite, or a list that lost its place above the type, fails here.

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILE_SUITE } from '#test/ports/file-port.ts';
import { gapsOf, portsIn } from '#test/ports/guarantees.ts';
import { FILES_ONLY_ON_THE_WIRE, ONLY_ON_THE_WIRE } from '#test/ports/only-on-the-wire.ts';
import { STORE_SUITES } from '#test/ports/port-suites.ts';

const SOURCES = globSync('functions/{idempotency,export-jobs}/**/*.ts');
const PORTS = new Map(SOURCES.flatMap((file) => [...portsIn(readFileSync(file, 'utf8'))]));
/** By port, the titles of the cases that run on every adapter. */
const SUITES = new Map(
  [...STORE_SUITES, FILE_SUITE].map(({ port, cases }) => [port, Object.keys(cases)]),
);
const ON_THE_WIRE = new Map(
  Object.entries({ ...ONLY_ON_THE_WIRE, ...FILES_ONLY_ON_THE_WIRE }).map(([port, cases]) => [
    port,
    Object.keys(cases),
  ]),
);

describe('the ports', () => {
  it('are found, and each has a suite of its own', () => {
    expect(PORTS.size).toBeGreaterThan(0);
    expect([...SUITES.keys()].toSorted()).toEqual([...PORTS.keys()].toSorted());
  });

  it.each([...PORTS])('have a case on every adapter for every guarantee: %s', (port, numbers) => {
    expect(gapsOf(numbers, SUITES.get(port) ?? [])).toEqual([]);
  });

  it.each([...ON_THE_WIRE])(
    'show on the wire what they promise, and nothing else: %s',
    (port, titles) => {
      const numbers = PORTS.get(port) ?? [];
      const everywhere = SUITES.get(port) ?? [];

      expect(titles).not.toEqual([]);
      expect(gapsOf(numbers, [...everywhere, ...titles])).toEqual([]);
      expect(titles.filter((title) => everywhere.includes(title))).toEqual([]);
    },
  );
});

describe('a list of guarantees', () => {
  const source = [
    '/**',
    ' * What it is for.',
    ' *  1. One,',
    ' *     told in 2 lines: 7. is none.',
    ' *  2. Two.',
    ' */',
    'export type FirstPort<Effect> = Reader & {',
    '  /** 9. is no guarantee. */',
    '};',
    'export type NamedPort = FirstPort<Effect>;',
    'export type BarePort = {',
  ].join('\n');

  it('stands right above the type of its port', () => {
    expect([...portsIn(source)]).toEqual([
      ['FirstPort', [1, 2]],
      ['BarePort', []],
    ]);
  });

  it('has no gap when each number has a case', () => {
    expect(gapsOf([1, 2], ['1. one', '2. two', '2. two again'])).toEqual([]);
  });

  it.each([
    ['a number without a case', [1, 2], ['1. one']],
    ['a case of a number that is not there', [1], ['1. one', '2. two']],
    ['a case without a number', [1], ['1. one', 'two']],
    ['a case whose number is not the beginning', [1], ['1. one', 'as 1. one']],
    ['a number twice', [1, 1], ['1. one']],
    ['a number left out', [1, 3], ['1. one', '3. three']],
    ['no number at all', [], []],
  ])('fails on %s', (_, numbers, titles) => {
    expect(gapsOf(numbers, titles)).toHaveLength(1);
  });
});
