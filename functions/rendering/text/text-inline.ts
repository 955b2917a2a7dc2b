// What stands in a line of an article as plain text: emphasis by the signs people type, links by the
// number of a note, footnotes by their mark. Line breaks of the author stay, line ends of the source go.

import type { PhrasingContent } from 'mdast';
import type { TextNotes } from '#rendering/text/text-notes.ts';

export function inlineText(nodes: readonly PhrasingContent[], notes: TextNotes): string {
  return nodes.map((node) => inline(node, notes)).join('');
}

function inline(node: PhrasingContent, notes: TextNotes): string {
  switch (node.type) {
    case 'text':
      return node.value.replace(/\s*\n\s*/g, ' ');
    case 'break':
      return '\n';
    case 'inlineCode':
      return `\`${node.value.replace(/\n/g, ' ')}\``;
    case 'emphasis':
      return around('_', inlineText(node.children, notes));
    case 'strong':
      return around('*', inlineText(node.children, notes));
    case 'delete':
      return around('~~', inlineText(node.children, notes));
    case 'link':
      return withNote(inlineText(node.children, notes), node.url, notes);
    case 'linkReference':
      return withNote(inlineText(node.children, notes), notes.urlOf(node.identifier), notes);
    case 'footnoteReference':
      return `[^${node.label ?? node.identifier}]`;
    case 'html':
    case 'image':
    case 'imageReference':
      throw new TypeError(`an article tree holds no ${node.type}`);
  }
}

function around(sign: string, text: string): string {
  return text.trim() === '' ? text : `${sign}${text}${sign}`;
}

/** A bare address needs no note to itself, and a link inside the article leads nowhere on paper. */
function withNote(text: string, url: string | undefined, notes: TextNotes): string {
  if (url === undefined || url === '' || url.startsWith('#')) return text;
  if (text === url || url === `mailto:${text}` || url === `http://${text}`) return text;
  return `${text} [${notes.numberOf(url)}]`;
}
