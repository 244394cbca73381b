import { crc32 } from '#engine/recording/crc32.ts';
import { ByteWriter } from './byte-writer.ts';

/** Packs bytes with deflate (RFC 1951). */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

const VERSION = 20;
const DEFLATED = 8;
/** The date is 1 January 1980, the first one that ZIP knows. */
const DATE = 33;

/** Writes a ZIP archive of these files; stored as they are without `deflate`. */
export function writeZip(
  files: readonly (readonly [name: string, content: Uint8Array])[],
  deflate?: Deflate,
): Uint8Array {
  const archive = new ByteWriter();
  const directory = new ByteWriter();
  for (const [name, content] of files) {
    const packed = deflate?.(content) ?? content;
    const offset = archive.length;
    const described = new ByteWriter()
      .uint16(VERSION, 0, deflate === undefined ? 0 : DEFLATED, 0, DATE)
      .int32(crc32(content), packed.length, content.length)
      .uint16(name.length, 0)
      .finish();
    archive.ascii('PK\u0003\u0004').append(described).ascii(name).append(packed);
    directory
      .ascii('PK\u0001\u0002')
      .uint16(VERSION)
      .append(described)
      .uint16(0, 0, 0)
      .int32(0, offset)
      .ascii(name);
  }
  const start = archive.length;
  archive.append(directory.finish());
  return archive
    .ascii('PK\u0005\u0006')
    .uint16(0, 0, files.length, files.length)
    .int32(directory.length, start)
    .uint16(0)
    .finish();
}
