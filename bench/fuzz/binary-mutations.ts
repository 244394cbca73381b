import type { Random } from '#engine/simulation/random.ts';
import { below, changeBytes, flipBits, onSpots, pick, type Mutation } from './mutations.ts';

/** Lists ways of breaking what is no text: numbers and pieces of bytes, at the beginning more than elsewhere. */
export const BINARY_MUTATIONS: Readonly<Record<string, Mutation>> = {
  'cut off': (text, random) => text.slice(0, below(random, text.length)),
  'beginning lost': (text, random) => text.slice(below(random, text.length)),
  'bytes changed': changeBytes,
  'bytes changed in front': (text, random) => inFront(text, random, changeBytes),
  'bits flipped': flipBits,
  'bits flipped in front': (text, random) => inFront(text, random, flipBits),
  'bytes lost': (text, random) => onSpots(text, random, 20, () => ''),
  'nasty integers': nastyIntegers,
  'nasty integers in front': (text, random) => inFront(text, random, nastyIntegers),
  'bytes changed without the sums': changeUnderSums,
  'a piece lost': (text, random) => onBytes(text, random, () => ''),
  'a piece twice': (text, random) => onBytes(text, random, (piece) => piece + piece),
  'a piece of zeros': (text, random) => onBytes(text, random, (piece) => '\0'.repeat(piece.length)),
  'a piece of ones': (text, random) => onBytes(text, random, (piece) => '\xff'.repeat(piece.length)),
  'a piece of another file': (text, random, other) =>
    onBytes(text, random, (piece) => other.slice(0, piece.length)),
  'a piece copied elsewhere': (text, random) =>
    onBytes(text, random, (piece) => {
      const from = below(random, text.length);
      return text.slice(from, from + piece.length);
    }),
  'the whole file twice': (text) => text + text,
  'another file behind it': (text, _, other) => text + other,
  'another signature': (text, random) => {
    const signature = pick(random, SIGNATURES);
    return signature + text.slice(random.uniform() < 0.5 ? signature.length : 0);
  },
};

/** Lists the beginnings by which files that are no text are known. */
const SIGNATURES = [
  'RDX', '\0'.repeat(16) + 'PROV', 'UUni', '*P* ', 'PK\x03\x04', '\x1f\x8b', '\x78\x9c', 'Rar!', '7z\xbc\xaf', '\x89PNG',
  '\xff\xd8\xff', '\0\0\0\x20ftyp', '\0\0\0\x20ftyphei', '%PDF', '\xd0\xcf\x11\xe0', 'SQLite format 3', '\xb5\x62\x01\x07',
  '\xb5\x62\xff\x01', 'VBB', '<h', '.FIT', '@\0\0\0', '\x02\0\0\0', 'ALFANO', '\t',
]; // oxfmt-ignore

/** Changes the beginning, where headers lie, of one of several lengths. */
function inFront(text: string, random: Random, change: (front: string, random: Random) => string): string {
  const end = Math.min(text.length, pick(random, [24, 128, 640, 4000]));
  return change(text.slice(0, end), random) + text.slice(end);
}

/** Replaces a piece of random place and length. */
function onBytes(text: string, random: Random, change: (piece: string) => string): string {
  const from = below(random, text.length);
  const to = from + 1 + below(random, Math.min(text.length - from, pick(random, [4, 64, 1024, 1e9])));
  return text.slice(0, from) + change(text.slice(from, to)) + text.slice(to);
}

/** Overwrites up to 20 numbers of one, two, four or eight bytes with the smallest, the largest, and what is no number. */
function nastyIntegers(text: string, random: Random): string {
  const bytes = Buffer.from(text, 'latin1');
  const numbers = nastyBytes(bytes.length);
  for (let count = 1 + below(random, 20); count > 0; count--) {
    const number = pick(random, numbers);
    const spot = below(random, bytes.length);
    // Numbers of most files lie on even places.
    number.copy(bytes, random.uniform() < 0.7 ? spot & ~3 : spot);
  }
  return bytes.toString('latin1');
}

function nastyBytes(length: number): Buffer[] {
  const integers = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
  const written = [...integers, length, length - 1].flatMap((value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value >>> 0);
    const size = value <= 0xff ? 1 : value <= 0xffff ? 2 : 4;
    const little = bytes.subarray(0, size);
    return [bytes, little, Buffer.from(little.toReversed())];
  });
  const reals = [NaN, Infinity, -Infinity, 1e308, -1e308, 5e-324, -0, 91, -181].flatMap((value) => {
    const bytes = Buffer.alloc(24);
    bytes.writeDoubleLE(value);
    bytes.writeDoubleBE(value, 8);
    bytes.writeFloatLE(value, 16);
    bytes.writeFloatBE(value, 20);
    return [
      [0, 8],
      [8, 16],
      [16, 20],
      [20, 24],
    ].map(([from, to]) => bytes.subarray(from, to));
  });
  return [...written, ...reals];
}

/** Changes three neighbours so that neither their sum nor Fletcher's changes, and what is behind a true checksum is read. */
function changeUnderSums(text: string, random: Random): string {
  const bytes = Buffer.from(text, 'latin1');
  for (let count = 1 + below(random, 60); count > 0 && bytes.length > 2; count--) {
    const spot = below(random, bytes.length - 2);
    const step = 1 + below(random, 255);
    for (const [index, factor] of [1, -2, 1].entries())
      bytes[spot + index] = ((bytes[spot + index] ?? 0) + factor * step) & 0xff;
  }
  return bytes.toString('latin1');
}
