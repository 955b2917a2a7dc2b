// An image becomes a link to itself that says what it shows. No file holds or fetches an image, so none
// can tell a stranger who reads it. Inside a link it becomes text, since links do not nest.

import type { Image, ImageReference, Nodes, Root } from 'mdast';
import { visit } from 'unist-util-visit';

export function imagesToLinks(tree: Root, imageLabel: string): void {
  const textOf = ({ alt }: Image | ImageReference): Nodes => ({
    type: 'text',
    value: alt ? `${imageLabel}: ${alt}` : imageLabel,
  });
  visit(tree, ['link', 'linkReference'], (link) => {
    replaceImages(link as Nodes, textOf);
  });
  replaceImages(tree, (image) => {
    const { alt: _, ...rest } = image;
    const type = image.type === 'image' ? 'link' : 'linkReference';
    return { ...rest, type, children: [textOf(image)] } as Nodes;
  });
}

function replaceImages(tree: Nodes, replacementOf: (image: Image | ImageReference) => Nodes): void {
  visit(tree, (node, index, parent) => {
    if ((node.type !== 'image' && node.type !== 'imageReference') || parent === undefined) return;
    parent.children[index as number] = replacementOf(node) as never;
  });
}
