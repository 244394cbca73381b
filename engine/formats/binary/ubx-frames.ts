/**
 * Finds the frames of u-blox's binary protocol in a stream of bytes, from a file or from a receiver that sends them now.
 *
 * - A frame is `B5 62`, class, identifier, length of the payload in 16 bits, payload, two sums (8-bit Fletcher over all from the class on).
 *   All numbers are little-endian.
 * - A frame may be split over several pieces, and a piece may hold several frames: bytes that may still become a frame are kept.
 * - Only the wanted kinds are looked at, within their lengths, so that a damaged length can neither hold up the stream nor make sums
 *   expensive. Everything else, also text in between, is passed over.
 */

/** Describes a kind of frame by class and identifier (`0x0107`), and the lengths that its payload may have. */
export type UbxKind = { code: number; leastBytes: number; mostBytes: number };

/** Holds one frame with right sums. The view is valid only until `onFrame` returns. */
export type UbxFrame = { code: number; payload: DataView };

const [SYNC_1, SYNC_2] = [0xb5, 0x62];
const HEADER_BYTES = 6;
const SUM_BYTES = 2;

export class UbxFrameReader {
  readonly #kinds: ReadonlyMap<number, UbxKind>;
  readonly #onFrame: (frame: UbxFrame) => void;
  /** Bytes at the end of the pieces so far that may be the beginning of a frame. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(kinds: readonly UbxKind[], onFrame: (frame: UbxFrame) => void) {
    this.#kinds = new Map(kinds.map((kind) => [kind.code, kind]));
    this.#onFrame = onFrame;
  }

  /** Takes the next bytes and hands over every frame that is complete now. */
  feed(piece: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = bytes.indexOf(SYNC_1);
    while (start >= 0) {
      const step = this.#readFrame(bytes, view, start);
      if (step === INCOMPLETE) break;
      start = bytes.indexOf(SYNC_1, start + step);
    }
    // A copy, since the caller may fill its buffer again.
    this.#rest = start < 0 ? new Uint8Array(0) : bytes.slice(start);
  }

  /** Reads the frame that may begin here; returns how many bytes to go on by, or that it is not complete yet. */
  #readFrame(bytes: Uint8Array, view: DataView, start: number): number {
    const left = bytes.length - start;
    if (left > 1 && bytes[start + 1] !== SYNC_2) return 1;
    if (left < HEADER_BYTES) return INCOMPLETE;
    const kind = this.#kinds.get(view.getUint16(start + 2));
    const length = view.getUint16(start + 4, true);
    if (kind === undefined || length < kind.leastBytes || length > kind.mostBytes) return 2;
    if (left < HEADER_BYTES + length + SUM_BYTES) return INCOMPLETE;
    if (!hasRightSums(bytes, start, HEADER_BYTES + length)) return 2;
    const payload = new DataView(bytes.buffer, bytes.byteOffset + start + HEADER_BYTES, length);
    this.#onFrame({ code: kind.code, payload });
    return HEADER_BYTES + length + SUM_BYTES;
  }
}

/** No step forward: more bytes have to come first. */
const INCOMPLETE = 0;

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function hasRightSums(bytes: Uint8Array, start: number, sumOffset: number): boolean {
  let [a, b] = [0, 0];
  for (let index = start + 2; index < start + sumOffset; index += 1) {
    a = (a + (bytes[index] ?? 0)) & 0xff;
    b = (b + a) & 0xff;
  }
  return bytes[start + sumOffset] === a && bytes[start + sumOffset + 1] === b;
}

/** Returns whether a frame of one of these kinds is near the beginning of a file. */
export function beginsWithFrames(bytes: Uint8Array, kinds: readonly UbxKind[]): boolean {
  let found = false;
  const reader = new UbxFrameReader(kinds, () => (found = true));
  reader.feed(bytes.subarray(0, BEGINNING_BYTES));
  return found;
}

/** Receivers that also write text or raw measurements do it within every second. */
const BEGINNING_BYTES = 65_536;
