// The notes of one article: each address once, numbered in the order of the text, and its footnotes.

import type { FootnoteDefinition, Root } from 'mdast';
import { visit } from 'unist-util-visit';

export type TextNotes = {
  /** Where a reference leads, by its identifier. */
  readonly urlOf: (identifier: string) => string | undefined;
  /** The note's number of an address, from 1. */
  readonly numberOf: (url: string) => number;
  /** The addresses so far, in the order of their numbers. */
  readonly urls: () => readonly string[];
  readonly footnotes: readonly FootnoteDefinition[];
};

export function notesOf(tree: Root): TextNotes {
  const definitions = new Map<string, string>();
  const footnotes = new Map<string, FootnoteDefinition>();
  const numbers = new Map<string, number>();
  visit(tree, (node) => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) {
      definitions.set(node.identifier, node.url);
    }
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) {
      footnotes.set(node.identifier, node);
    }
  });
  return {
    urlOf: (identifier) => definitions.get(identifier),
    numberOf: (url) => {
      const number = numbers.get(url) ?? numbers.size + 1;
      numbers.set(url, number);
      return number;
    },
    urls: () => [...numbers.keys()],
    footnotes: [...footnotes.values()].sort((a, b) => Number(a.label) - Number(b.label)),
  };
}
