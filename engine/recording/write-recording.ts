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
import type { StreamChunk } from '../receivers/live-fix.ts';

/**
 * Writes a recording piece by piece: every call returns the bytes to append to the file. Keeps nothing but the running checksum, so an
 * interrupted recording is continued with the `state` that `readRecording` gives, after the file was cut to its `lengthBytes`; mark a hole first.
 */
export class RecordingWriter {
  #state: RecordingState;

  private constructor(state: RecordingState) {
    this.#state = { ...state };
  }

  /** Begins a recording; the bytes are its first. */
  static start(header: RecordingHeader): { writer: RecordingWriter; bytes: Uint8Array<ArrayBuffer> } {
    const { startedAtMs } = header;
    const writer = new RecordingWriter({
      startedAtMs,
      checksum: crc32(RECORDING_MARK),
      lengthBytes: RECORDING_MARK.length,
    });
    const text = Uint8Array.from(asciiJson(header), (character) => character.charCodeAt(0));
    const block = writer.#block(BLOCK.header, 0, startedAtMs, text);
    const bytes = new Uint8Array(RECORDING_MARK.length + block.length);
    bytes.set(RECORDING_MARK);
    bytes.set(block, RECORDING_MARK.length);
    return { writer, bytes };
  }

  /** Goes on with a recording that was interrupted. */
  static resume(state: RecordingState): RecordingWriter {
    return new RecordingWriter(state);
  }

  get state(): Readonly<RecordingState> {
    return this.#state;
  }

  /** Writes bytes of the receiver. Throws RangeError for more than a block holds. */
  chunk({ bytes, arrivalMs, channel = 0 }: StreamChunk): Uint8Array<ArrayBuffer> {
    if (bytes.length > BLOCK_MOST_BYTES) throw new RangeError('A chunk is larger than a block may be.');
    return this.#block(BLOCK.data, channel, arrivalMs, bytes);
  }

  /** Marks that what came between is missing. */
  hole(arrivalMs: number): Uint8Array<ArrayBuffer> {
    return this.#block(BLOCK.hole, 0, arrivalMs, new Uint8Array(0));
  }

  /** Ends the recording in order. It may still be resumed. */
  end(arrivalMs: number): Uint8Array<ArrayBuffer> {
    return this.#block(BLOCK.end, 0, arrivalMs, new Uint8Array(0));
  }

  #block(kind: number, channel: number, arrivalMs: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
    const { startedAtMs, checksum, lengthBytes } = this.#state;
    const bytes = new Uint8Array(BLOCK_HEAD_BYTES + payload.length + SUM_BYTES);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, kind);
    view.setUint8(1, channel);
    view.setUint32(2, payload.length, true);
    view.setUint32(6, Math.max(0, Math.round(arrivalMs - startedAtMs)), true);
    bytes.set(payload, BLOCK_HEAD_BYTES);
    const sum = crc32(bytes.subarray(0, bytes.length - SUM_BYTES), checksum);
    view.setUint32(bytes.length - SUM_BYTES, sum, true);
    this.#state = { startedAtMs, checksum: sum, lengthBytes: lengthBytes + bytes.length };
    return bytes;
  }
}

/** Writes all but ASCII as escapes, so that a character is a byte. */
function asciiJson(value: RecordingHeader): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
