import { UnreadableLapFileError } from '../../lap-file.ts';
import { hasAscii, viewBytes } from '../binary/binary-format.ts';

export type ByteRange = { offset: number; length: number };

/** Asks for pieces of a file, one at a time, is resumed with the bytes of each, and returns what it has found. The caller reads the file. */
export type RangeReading<Result> = Generator<ByteRange, Result, Uint8Array>;

/** Describes one sample of a track: where it lies in the file, and when it begins in the recording. */
export type MediaSample = ByteRange & { startMs: number; durationMs: number };

// ISO/IEC 14496-12 defines the format. Numbers have their highest byte first.
const BOX_HEADER_BYTES = 16;
/** GoPro writes five boxes; other cameras a few more. */
const TOP_BOXES_MAX = 200;
/** The index of four hours of video fits. */
const INDEX_BYTES_MAX = 32 * 1024 * 1024;
const SAMPLES_MAX = 200_000;
const TABLE_ENTRIES_MAX = 2_000_000;

type Box = { type: string; start: number; end: number };

/** Finds the index of an MP4 file, wherever it lies. Throws UnreadableLapFileError for files without one. */
export function* readIndex(sizeBytes: number): RangeReading<Uint8Array> {
  let offset = 0;
  for (let count = 0; count < TOP_BOXES_MAX && offset + 8 <= sizeBytes; count += 1) {
    const header = yield { offset, length: Math.min(BOX_HEADER_BYTES, sizeBytes - offset) };
    const { type, headerBytes, length } = readBoxHeader(header, sizeBytes - offset);
    if ((count === 0 && type !== 'ftyp') || length < headerBytes) break;
    if (type === 'moov' && length <= INDEX_BYTES_MAX && offset + length <= sizeBytes) {
      return yield { offset: offset + headerBytes, length: length - headerBytes };
    }
    offset += length;
  }
  throw new UnreadableLapFileError(
    'This video is not whole: its index is missing. Copy it from the camera again.',
  );
}

function readBoxHeader(header: Uint8Array, bytesLeft: number) {
  const view = viewBytes(header);
  const short = header.length >= 8 ? view.getUint32(0) : 0;
  const type = String.fromCharCode(...header.subarray(4, 8));
  const isLong = short === 1 && header.length >= BOX_HEADER_BYTES;
  const length = isLong ? Number(view.getBigUint64(8)) : short === 0 ? bytesLeft : short;
  return { type, headerBytes: isLong ? BOX_HEADER_BYTES : 8, length };
}

/** Lists the boxes within a piece of an index; one that is longer than the piece ends it. */
export function listBoxes(index: Uint8Array, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const { type, headerBytes, length } = readBoxHeader(index.subarray(at, at + BOX_HEADER_BYTES), to - at);
    if (length < headerBytes || at + length > to) break;
    boxes.push({ type, start: at + headerBytes, end: at + length });
    at += length;
  }
  return boxes;
}

/** Finds the samples of the first track whose data is of this kind, such as `gpmd`; null where there is no such track. */
export function findSamples(index: Uint8Array, kind: string): MediaSample[] | null {
  for (const track of listBoxes(index, 0, index.length)) {
    if (track.type !== 'trak') continue;
    const media = child(index, track, 'mdia');
    const header = media && child(index, media, 'mdhd');
    const information = media && child(index, media, 'minf');
    const tables = information && child(index, information, 'stbl');
    const description = tables && child(index, tables, 'stsd');
    if (!header || !tables || !description || !hasAscii(index, description.start + 12, kind)) continue;
    return readSamples(index, tables, readTimescale(index, header));
  }
  return null;
}

function child(index: Uint8Array, parent: Box, type: string): Box | null {
  return listBoxes(index, parent.start, parent.end).find((box) => box.type === type) ?? null;
}

/** Reads the number of time units in a second. */
function readTimescale(index: Uint8Array, header: Box): number {
  const offset = index[header.start] === 1 ? 20 : 12;
  return header.start + offset + 4 <= header.end ? viewBytes(index).getUint32(header.start + offset) : 0;
}

/** Sizes, times and chunks are in tables of their own; samples follow each other within a chunk. */
function readSamples(index: Uint8Array, tables: Box, timescale: number): MediaSample[] {
  const boxes = new Map(listBoxes(index, tables.start, tables.end).map((box) => [box.type, box]));
  const sizes = readSizes(index, boxes.get('stsz'));
  const starts = sampleStarts(readTable(index, boxes.get('stts'), 2), sizes.length);
  const offsets = sampleOffsets(readChunks(index, boxes), readTable(index, boxes.get('stsc'), 3), sizes);
  const toMs = (units = 0) => (1000 * units) / Math.max(1, timescale);
  return offsets.map((offset, sample) => {
    const startMs = toMs(starts[sample]);
    return { offset, length: sizes[sample] ?? 0, startMs, durationMs: toMs(starts[sample + 1]) - startMs };
  });
}

function readChunks(index: Uint8Array, boxes: ReadonlyMap<string, Box>): number[] {
  const long = boxes.get('co64');
  return long === undefined
    ? readTable(index, boxes.get('stco'), 1).map(([offset = 0]) => offset)
    : readTable(index, long, 2).map(([high = 0, low = 0]) => high * 2 ** 32 + low);
}

/** `runs` tell from which chunk on how many samples are in each. */
function sampleOffsets(
  chunks: readonly number[],
  runs: readonly number[][],
  sizes: readonly number[],
): number[] {
  const offsets: number[] = [];
  let run = 0;
  for (const [chunk, chunkOffset] of chunks.entries()) {
    while ((runs[run + 1]?.[0] ?? Number.POSITIVE_INFINITY) <= chunk + 1) run += 1;
    let offset = chunkOffset;
    for (let count = runs[run]?.[1] ?? 0; count > 0 && offsets.length < sizes.length; count -= 1) {
      offsets.push(offset);
      offset += sizes[offsets.length - 1] ?? 0;
    }
  }
  return offsets;
}

/** Rows of 32-bit numbers behind a count. */
function readTable(index: Uint8Array, box: Box | undefined, width: number, headerBytes = 8): number[][] {
  if (box === undefined || box.start + headerBytes > box.end) return [];
  const view = viewBytes(index);
  const room = Math.floor((box.end - box.start - headerBytes) / (4 * width));
  const count = Math.min(view.getUint32(box.start + headerBytes - 4), room, TABLE_ENTRIES_MAX);
  return Array.from({ length: count }, (_, row) =>
    Array.from({ length: width }, (_, column) =>
      view.getUint32(box.start + headerBytes + 4 * (row * width + column)),
    ),
  );
}

/** Reads the sizes of the samples: each has its own, or one size counts for all. */
function readSizes(index: Uint8Array, box: Box | undefined): number[] {
  if (box === undefined || box.start + 12 > box.end) return [];
  const view = viewBytes(index);
  const common = view.getUint32(box.start + 4);
  const count = Math.min(view.getUint32(box.start + 8), SAMPLES_MAX);
  return common === 0
    ? readTable(index, box, 1, 12)
        .slice(0, count)
        .map(([size = 0]) => size)
    : Array.from({ length: count }, () => common);
}

/** Returns when each sample begins, and when the last one ends, in units of the track. */
function sampleStarts(runs: readonly number[][], count: number): number[] {
  const starts = [0];
  for (const [length = 0, duration = 0] of runs) {
    for (let sample = 0; sample < length && starts.length <= count; sample += 1)
      starts.push((starts.at(-1) ?? 0) + duration);
  }
  return starts;
}
