import { seededRandom } from '#engine/simulation/random.ts';
import type { Random } from '#engine/simulation/random.ts';
import type { Track } from '#engine/track.ts';
import { BINARY_MUTATIONS } from './binary-mutations.ts';
import { readBytes, type CorpusFile } from './corpus.ts';
import { HARMLESS_MUTATIONS, LARGE_MUTATIONS, MUTATIONS, type Mutation } from './mutations.ts';

/** Describes one broken file. */
export type FuzzCase = {
  /** Name of the broken file, and of the mutation. */
  name: string;
  bytes: Uint8Array;
  tracks: Track[];
  /** Another way of writing the very same file, in which the same must be found; null for a file that was really broken. */
  original: Uint8Array | null;
};

const LARGE_SHARE = 1 / 400;
const HARMLESS_SHARE = 1 / 15;
/** Larger files are not accepted by anybody who has not set that up. */
const LARGEST_CASE = 100_000_000;
/** Most cases are made of a piece of a file, which is read in a few milliseconds. */
const PIECE_SHARE = 0.7;

/** Binary files are rarely changed like text: they break in no other way, and the search for tables in them takes a hundred times longer. */
const TEXT_SHARE_OF_BINARY = 1 / 20;

/** Makes the case of a seed: the same for the same seed and corpus. */
export function makeCase(seed: number, corpus: readonly CorpusFile[]): FuzzCase {
  const random = seededRandom(seed);
  const file = pick(random, corpus);
  const text = random.uniform() < PIECE_SHARE ? cutPiece(file.text, random) : file.text;
  const kind = random.uniform();
  if (kind < LARGE_SHARE) return broken(file, text, random, { mutations: LARGE_MUTATIONS });
  const isText = !text.slice(0, 4000).includes('\0') || random.uniform() < TEXT_SHARE_OF_BINARY;
  if (isText && kind < LARGE_SHARE + HARMLESS_SHARE) {
    const result = broken(file, text, random, { mutations: HARMLESS_MUTATIONS });
    return isUnicode(text) ? { ...result, original: readBytes(text) } : result;
  }
  const mutations = isText ? MUTATIONS : BINARY_MUTATIONS;
  const count = 1 + Math.floor(3 * random.uniform() ** 2);
  let result = broken(file, text, random, { mutations, corpus });
  for (let more = 1; more < count; more++) {
    const next = broken(file, Buffer.from(result.bytes).toString('latin1'), random, {
      mutations,
      corpus,
    });
    result = { ...next, name: `${result.name}, ${next.name.split(': ').at(-1)}` };
  }
  return result;
}

/** Maps ways of breaking a file, some of which need another one. */
type Ways = { mutations: Readonly<Record<string, Mutation>>; corpus?: readonly CorpusFile[] };

function broken(
  file: CorpusFile,
  text: string,
  random: Random,
  { mutations, corpus = [file] }: Ways,
): FuzzCase {
  const [name, mutate] = pick(random, Object.entries(mutations));
  const other = cutPiece(pick(random, corpus).text, random);
  return {
    name: `${file.name}: ${name}`,
    bytes: readBytes(mutate(text, random, other).slice(0, LARGEST_CASE)),
    tracks: file.tracks,
    original: null,
  };
}

/** Cuts the beginning of a file, where its header is, and some of the rest. */
function cutPiece(text: string, random: Random): string {
  const [head, length] = [4000, 60_000];
  if (text.length < head + length) return text;
  const from = head + Math.floor(random.uniform() * (text.length - head - length));
  const mark = text.slice(0, head).includes('\n') ? '\n' : '<trkpt';
  const headEnd = text.indexOf(mark, head);
  const start = text.indexOf(mark, Math.max(from, headEnd));
  const end = text.indexOf(mark, from + length);
  if (headEnd < 0 || start < 0) return text;
  return text.slice(0, headEnd) + text.slice(start, end < 0 ? text.length : end);
}

/** Returns whether all of a file can be written in every encoding of Unicode. */
function isUnicode(text: string): boolean {
  const bytes = Buffer.from(text, 'latin1');
  return !/[\0\ufeff\ufffe\ufffd]/.test(bytes.toString()) && Buffer.from(bytes.toString()).equals(bytes);
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random.uniform() * values.length)];
  if (value === undefined) throw new Error('There is nothing to pick from.');
  return value;
}
