/**
 * The recording of a drive as the phone keeps it and as it is uploaded: what a receiver sent, byte by byte, and when.
 *
 * - Blocks follow each other: kind (a letter), channel, length of the payload in 32 bits, arrival in milliseconds since the start in 32
 *   bits, payload, checksum in 32 bits. All numbers are little-endian.
 * - The checksum runs: it is a CRC-32 that goes on from block to block, so a flipped byte, a torn end and a lost block are all found, and
 *   everything before them stands.
 * - The first block says in JSON what sent the bytes. Blocks `D` hold bytes as they came, `X` marks a hole: the receiver was lost, or the
 *   recording stopped for a while. `E` ends a recording in order.
 */
import type { StreamKind } from '../receivers/live-fix.ts';

/** Stands at the beginning of every recording; the last byte is the version of the format. */
export const RECORDING_MARK = Uint8Array.of(0x50, 0x42, 0x52, 0x45, 0x43, 0x0d, 0x0a, 0x01);

export const BLOCK = { header: 0x48, data: 0x44, hole: 0x58, end: 0x45 } as const;
export const BLOCK_HEAD_BYTES = 10;
export const SUM_BYTES = 4;
/** A block never holds more; a longer one is damaged. */
export const BLOCK_MOST_BYTES = 1 << 20;

/** Describes what is known when a recording begins. */
export type RecordingHeader = {
  stream: StreamKind;
  /** Name of the receiver, for people and for `createDecoder`; null where it is unknown. Never its serial number. */
  model: string | null;
  /** Epoch milliseconds of the phone; arrivals count from here. */
  startedAtMs: number;
};

/** Says where a recording stands, so that it can be continued. */
export type RecordingState = { startedAtMs: number; checksum: number; lengthBytes: number };

/** The names of recordings end so. */
export const RECORDING_ENDING = '.pbrec';
