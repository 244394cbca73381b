import { STREAM_KINDS, type StreamChunk } from '../receivers/live-fix.ts';
import { crc32 } from './crc32.ts';
import {
  BLOCK,
  BLOCK_HEAD_BYTES,
  BLOCK_MOST_BYTES,
  RECORDING_MARK,
  SUM_BYTES,
  type RecordingHeader,
  type RecordingState,
} from './recording-format.ts';

/** Describes what a recording holds, up to its end or to the first damage. */
export type ReadRecording = {
  header: RecordingHeader;
  /** Says where the intact part ends: a recording can be cut there and continued. */
  state: RecordingState;
  /** False where bytes follow that are torn, flipped, or after a lost block. */
  isIntact: boolean;
  /** True where the last block ends the recording in order. */
  isEnded: boolean;
  chunkCount: number;
  holeCount: number;
  /** Arrival of the last intact block, epoch milliseconds. */
  lastArrivalMs: number;
};

type Visitor = { chunk?: (chunk: StreamChunk) => void; hole?: (arrivalMs: number) => void };

export function isRecording(bytes: Uint8Array): boolean {
  return RECORDING_MARK.every((byte, index) => bytes[index] === byte);
}

/** Reads a recording block by block, each after its checksum was found right. Null where not even the header is intact. */
export function readRecording(bytes: Uint8Array, visitor: Visitor = {}): ReadRecording | null {
  if (!isRecording(bytes)) return null;
  const blocks = new BlockReader(bytes);
  const first = blocks.next();
  const header = first?.kind === BLOCK.header ? parseHeader(first.payload) : null;
  if (header === null) return null;
  const { startedAtMs } = header;
  const read = { isEnded: false, chunkCount: 0, holeCount: 0, lastArrivalMs: startedAtMs };
  for (let block = blocks.next(); block !== null; block = blocks.next()) {
    const { kind, channel, payload, elapsedMs } = block;
    read.lastArrivalMs = startedAtMs + elapsedMs;
    read.isEnded = kind === BLOCK.end;
    if (kind === BLOCK.data) {
      read.chunkCount += 1;
      visitor.chunk?.({ bytes: payload, channel, arrivalMs: read.lastArrivalMs });
    } else if (kind === BLOCK.hole) {
      read.holeCount += 1;
      visitor.hole?.(read.lastArrivalMs);
    }
  }
  const { offset, checksum } = blocks;
  return {
    header,
    state: { startedAtMs, checksum, lengthBytes: offset },
    isIntact: offset === bytes.length,
    ...read,
  };
}

type Block = { kind: number; channel: number; elapsedMs: number; payload: Uint8Array };

/** Goes from block to block as long as the running checksum is right. */
class BlockReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  offset = RECORDING_MARK.length;
  checksum = crc32(RECORDING_MARK);

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  next(): Block | null {
    const { offset } = this;
    if (offset + BLOCK_HEAD_BYTES + SUM_BYTES > this.#bytes.length) return null;
    const length = this.#view.getUint32(offset + 2, true);
    const sumOffset = offset + BLOCK_HEAD_BYTES + length;
    if (length > BLOCK_MOST_BYTES || sumOffset + SUM_BYTES > this.#bytes.length) return null;
    const checksum = crc32(this.#bytes.subarray(offset, sumOffset), this.checksum);
    if (checksum !== this.#view.getUint32(sumOffset, true)) return null;
    this.checksum = checksum;
    this.offset = sumOffset + SUM_BYTES;
    return {
      kind: this.#view.getUint8(offset),
      channel: this.#view.getUint8(offset + 1),
      elapsedMs: this.#view.getUint32(offset + 6, true),
      payload: this.#bytes.subarray(offset + BLOCK_HEAD_BYTES, sumOffset),
    };
  }
}

/** Reads the header; null where it is not what a writer writes. */
function parseHeader(payload: Uint8Array): RecordingHeader | null {
  const value = parseJson(payload);
  if (typeof value !== 'object' || value === null) return null;
  const { stream, model, startedAtMs }: { stream?: unknown; model?: unknown; startedAtMs?: unknown } = value;
  const known = STREAM_KINDS.find((kind) => kind === stream);
  const isTimed = typeof startedAtMs === 'number' && Math.abs(startedAtMs) < LAST_TIME_MS;
  if (known === undefined || !isTimed) return null;
  return { stream: known, model: typeof model === 'string' ? model : null, startedAtMs };
}

const LAST_TIME_MS = 8.64e15;

function parseJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8').decode(payload)) as unknown;
  } catch {
    return null;
  }
}
