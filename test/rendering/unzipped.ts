// The entries of a ZIP archive, read from its central directory, in the order in which they stand there.

import { crc32, inflateRawSync } from 'node:zlib';

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;

export type Unzipped = {
  readonly path: string;
  readonly isStored: boolean;
  readonly extraBytes: number;
  readonly bytes: Buffer;
};

/** @throws Error if the archive is broken or a checksum is wrong */
export function unzipped(archive: Buffer): Unzipped[] {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== END_SIGNATURE) throw new Error('no end of central directory');
  const entries: Unzipped[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error('no central directory entry');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((o) =>
      archive.readUInt16LE(at + o),
    );
    const path = archive.toString('utf8', at + 46, at + 46 + (nameBytes as number));
    entries.push(entryAt(archive, at, path));
    at += 46 + (nameBytes as number) + (extraBytes as number) + (commentBytes as number);
  }
  return entries;
}

function entryAt(archive: Buffer, at: number, path: string): Unzipped {
  const isStored = archive.readUInt16LE(at + 10) === 0;
  const local = archive.readUInt32LE(at + 42);
  const extraBytes = archive.readUInt16LE(local + 28);
  const start = local + 30 + archive.readUInt16LE(local + 26) + extraBytes;
  const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20));
  const bytes = isStored ? packed : inflateRawSync(packed);
  if (crc32(bytes) !== archive.readUInt32LE(at + 16)) throw new Error(`wrong checksum: ${path}`);
  return { path, isStored, extraBytes, bytes };
}
