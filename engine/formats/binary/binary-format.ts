import type { LapFileContent } from '../rows/lap-file-format.ts';
import type { Inflate } from '../unpack.ts';

/** Describes one way in which loggers write lap files that are no text. */
export type BinaryLapFileFormat = {
  /** Stable name for machines: `aim-xrk`. */
  format: string;
  /** Name for people. */
  name: string;
  /** Returns true for a file of this format, by its first bytes. */
  recognise: (bytes: Uint8Array) => boolean;
  /** Throws UnreadableLapFileError where the file holds no timed position. `inflate` is null where nothing can be decompressed. */
  read: (bytes: Uint8Array, inflate: Inflate | null) => LapFileContent;
};

export function viewBytes(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function hasAscii(bytes: Uint8Array, offset: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
