import { UnreadableLapFileError } from '../../lap-file.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { Inflate } from '../unpack.ts';
import { hasAscii, viewBytes } from './binary-format.ts';

/** Describes a file in a ZIP archive; `name` carries its folders. */
export type ZipEntry = {
  name: string;
  sizeBytes: number;
  packedBytes: number;
  isDeflated: boolean;
  offset: number;
};

// PKWARE's APPNOTE.TXT, version 6.3, defines the format.
const LOCAL_HEADER = 'PK\u0003\u0004';
const DIRECTORY_HEADER = 'PK\u0001\u0002';
const DIRECTORY_END = 'PK\u0005\u0006';
const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_HEADER_BYTES = 46;
const DIRECTORY_END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const STORED = 0;
const DEFLATED = 8;

/** RaceChrono writes a hundred channels for a car with everything; archives of a day hold fewer files. */
const ENTRIES_MAX = 4096;
/** Recordings shrink to a tenth. What an archive unpacks to is limited in all, so that entries that share their bytes gain nothing. */
const RATIO_MAX = 200;
const SMALL_BYTES = 8 * 1024 * 1024;

/** Returns whether the bytes are those of a ZIP archive with at least one entry. */
export function isZip(bytes: Uint8Array): boolean {
  return hasAscii(bytes, 0, LOCAL_HEADER);
}

/** Lists the files of an archive. Throws UnreadableLapFileError for one that is cut off, encrypted or unknown. */
export function listZipEntries(bytes: Uint8Array, entriesMax = ENTRIES_MAX): ZipEntry[] {
  const end = findDirectoryEnd(bytes);
  const view = viewBytes(bytes);
  const count = view.getUint16(end + 10, true);
  if (count > entriesMax)
    throw new UnreadableLapFileError(`This ZIP archive holds more than ${entriesMax} files.`);
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    if (at + DIRECTORY_HEADER_BYTES > end || !hasAscii(bytes, at, DIRECTORY_HEADER)) throw damagedArchive();
    const nameBytes = view.getUint16(at + 28, true);
    const name = decodeText(
      bytes.subarray(at + DIRECTORY_HEADER_BYTES, at + DIRECTORY_HEADER_BYTES + nameBytes),
    );
    if (!name.endsWith('/')) entries.push(readEntry(view, at, name));
    at += DIRECTORY_HEADER_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function readEntry(view: DataView, at: number, name: string): ZipEntry {
  const method = view.getUint16(at + 10, true);
  if ((view.getUint16(at + 8, true) & 1) === 1) {
    throw new UnreadableLapFileError('This ZIP archive is encrypted; unpack it and upload the files inside.');
  }
  if (method !== STORED && method !== DEFLATED) {
    throw new UnreadableLapFileError(
      'This ZIP archive is compressed in a way that cannot be read; unpack it and upload the files inside.',
    );
  }
  return {
    name,
    sizeBytes: view.getUint32(at + 24, true),
    packedBytes: view.getUint32(at + 20, true),
    isDeflated: method === DEFLATED,
    offset: view.getUint32(at + 42, true),
  };
}

/** It is the last thing in the file, but for a comment. */
function findDirectoryEnd(bytes: Uint8Array): number {
  const last = bytes.length - DIRECTORY_END_BYTES;
  for (let at = last; at >= 0 && at >= last - COMMENT_BYTES_MAX; at -= 1) {
    if (hasAscii(bytes, at, DIRECTORY_END)) return at;
  }
  throw new UnreadableLapFileError('This ZIP archive is not whole; copy or share it again.');
}

/** Unpacks entries of one archive, to so many bytes in all. */
export class ZipReader {
  readonly #bytes: Uint8Array;
  readonly #inflate: Inflate | null;
  #bytesLeft: number;

  constructor(bytes: Uint8Array, inflate: Inflate | null) {
    this.#bytes = bytes;
    this.#inflate = inflate;
    this.#bytesLeft = Math.max(SMALL_BYTES, RATIO_MAX * bytes.length);
  }

  /** Reads the content of an entry. Throws UnreadableLapFileError where it is damaged or lies about its size. */
  read(entry: ZipEntry): Uint8Array {
    const packed = this.readPacked(entry);
    const content = entry.isDeflated ? this.#inflated(packed, entry.sizeBytes) : packed;
    if (content.length !== entry.sizeBytes) throw damagedArchive();
    return content;
  }

  /** Reads the bytes of an entry as they lie in the archive, for who inflates them elsewhere. Counts what they unpack to. */
  readPacked({ sizeBytes, packedBytes, offset }: ZipEntry): Uint8Array {
    this.#bytesLeft -= sizeBytes;
    if (this.#bytesLeft < 0) {
      throw new UnreadableLapFileError(
        'This ZIP archive unpacks to far more than lap files; unpack it and upload the files inside.',
      );
    }
    return this.#packed(offset, packedBytes);
  }

  #packed(offset: number, packedBytes: number): Uint8Array {
    const bytes = this.#bytes;
    if (offset + LOCAL_HEADER_BYTES > bytes.length || !hasAscii(bytes, offset, LOCAL_HEADER))
      throw damagedArchive();
    const view = viewBytes(bytes);
    const start =
      offset + LOCAL_HEADER_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (start + packedBytes > bytes.length) throw damagedArchive();
    return bytes.subarray(start, start + packedBytes);
  }

  #inflated(packed: Uint8Array, sizeBytes: number): Uint8Array {
    if (this.#inflate === null) {
      throw new UnreadableLapFileError(
        'This ZIP archive is compressed; unpack it and upload the files inside.',
      );
    }
    if (sizeBytes === 0) return new Uint8Array(0);
    try {
      return this.#inflate(packed, 'deflate', sizeBytes);
    } catch (error) {
      throw damagedArchive(error);
    }
  }
}

/** Returns the error for an archive whose parts do not fit each other. */
export function damagedArchive(cause?: unknown): UnreadableLapFileError {
  return new UnreadableLapFileError(
    'This ZIP archive is damaged; copy or share it again, or unpack it and upload the files inside.',
    { cause },
  );
}
