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
/** Four hours of a sensor that is read 200 times a second. */
const SAMPLES_MAX = 3_000_000;
const TABLE_ENTRIES_MAX = 3_000_000;
/** So many samples are taken: ten a second of nearly three hours. Each is a call of the browser. */
const TAKEN_MAX = 100_000;

type Box = { type: string; start: number; end: number };

/** Finds the index of an MP4 file, wherever it lies. Throws UnreadableLapFileError for files without one. */
export function* readIndex(sizeBytes: number): RangeReading<Uint8Array> {
  let offset = 0;
  let hasKind = false;
  for (let count = 0; count < TOP_BOXES_MAX && offset + 8 <= sizeBytes; count += 1) {
    const header = yield { offset, length: Math.min(BOX_HEADER_BYTES, sizeBytes - offset) };
    const { type, headerBytes, length } = readBoxHeader(header, sizeBytes - offset);
    if (count === 0 && type !== 'ftyp') break;
    hasKind = true;
    if (length < headerBytes) break;
    if (type === 'moov' && length <= INDEX_BYTES_MAX && offset + length <= sizeBytes) {
      return yield { offset: offset + headerBytes, length: length - headerBytes };
    }
    offset += length;
  }
  throw new UnreadableLapFileError(
    hasKind
      ? 'This video is not whole: its index is missing. Copy it from the camera again.'
      : 'This file is no MP4 or MOV. Choose a video of one of these kinds.',
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

/** Chooses samples by their size in bytes and their beginning in the recording. */
export type ChooseSample = (length: number, startMs: number) => boolean;

/** Finds the samples of the first track whose data is of this kind, such as `gpmd`; null where there is no such track. */
export function findSamples(
  index: Uint8Array,
  kind: string,
  isWanted: ChooseSample = () => true,
): MediaSample[] | null {
  const track = findTrack(index, kind);
  return (
    track && readSamples(index, track.tables, { timescale: readTimescale(index, track.header), isWanted })
  );
}

/** Returns the byte of the file at which the last sample of the first track of this kind ends; 0 where there is no such track or sample. */
export function findEnd(index: Uint8Array, kind: string): number {
  const track = findTrack(index, kind);
  if (!track) return 0;
  const { sizes, offsets } = readPlaces(index, mapBoxes(index, track.tables));
  return (offsets.at(-1) ?? 0) + (sizes[offsets.length - 1] ?? 0);
}

function findTrack(index: Uint8Array, kind: string): { header: Box; tables: Box } | null {
  for (const track of listBoxes(index, 0, index.length)) {
    if (track.type !== 'trak') continue;
    const media = child(index, track, 'mdia');
    const header = media && child(index, media, 'mdhd');
    const information = media && child(index, media, 'minf');
    const tables = information && child(index, information, 'stbl');
    const description = tables && child(index, tables, 'stsd');
    if (!header || !tables || !description || !hasAscii(index, description.start + 12, kind)) continue;
    return { header, tables };
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
function readSamples(
  index: Uint8Array,
  tables: Box,
  { timescale, isWanted }: { timescale: number; isWanted: ChooseSample },
): MediaSample[] {
  const boxes = mapBoxes(index, tables);
  const { sizes, offsets } = readPlaces(index, boxes);
  const starts = sampleStarts(readTable(index, boxes.get('stts'), 2), sizes.length);
  const toMs = (units = 0) => (1000 * units) / Math.max(1, timescale);
  const samples: MediaSample[] = [];
  for (let sample = 0; sample < offsets.length && samples.length < TAKEN_MAX; sample += 1) {
    const [offset = 0, length = 0, startMs] = [offsets[sample], sizes[sample], toMs(starts[sample])];
    if (isWanted(length, startMs))
      samples.push({ offset, length, startMs, durationMs: toMs(starts[sample + 1]) - startMs });
  }
  return samples;
}

type Boxes = ReadonlyMap<string, Box>;

function mapBoxes(index: Uint8Array, { start, end }: Box): Boxes {
  return new Map(listBoxes(index, start, end).map((box) => [box.type, box]));
}

function readPlaces(index: Uint8Array, boxes: Boxes): { sizes: Uint32Array; offsets: Float64Array } {
  const sizes = readSizes(index, boxes.get('stsz'));
  return {
    sizes,
    offsets: sampleOffsets(readChunks(index, boxes), readTable(index, boxes.get('stsc'), 3), sizes),
  };
}

function readChunks(index: Uint8Array, boxes: ReadonlyMap<string, Box>): Float64Array {
  const long = boxes.get('co64');
  const width = long === undefined ? 1 : 2;
  const table = readTable(index, long ?? boxes.get('stco'), width);
  return Float64Array.from({ length: table.length / width }, (_, row) =>
    width === 1 ? (table[row] ?? 0) : (table[2 * row] ?? 0) * 2 ** 32 + (table[2 * row + 1] ?? 0),
  );
}

/** `runs` tell from which chunk on how many samples are in each, in rows of three numbers. */
function sampleOffsets(chunks: Float64Array, runs: Uint32Array, sizes: Uint32Array): Float64Array {
  const offsets = new Float64Array(sizes.length);
  let [run, sample] = [0, 0];
  for (let chunk = 0; chunk < chunks.length && sample < sizes.length; chunk += 1) {
    while ((runs[3 * (run + 1)] ?? Number.POSITIVE_INFINITY) <= chunk + 1) run += 1;
    let offset = chunks[chunk] ?? 0;
    for (let count = runs[3 * run + 1] ?? 0; count > 0 && sample < sizes.length; count -= 1) {
      offsets[sample] = offset;
      offset += sizes[sample] ?? 0;
      sample += 1;
    }
  }
  return offsets.subarray(0, sample);
}

/** Reads rows of so many 32-bit numbers behind a count, one row after the other. */
function readTable(index: Uint8Array, box: Box | undefined, width: number, headerBytes = 8): Uint32Array {
  if (box === undefined || box.start + headerBytes > box.end) return new Uint32Array();
  const view = viewBytes(index);
  const room = Math.floor((box.end - box.start - headerBytes) / (4 * width));
  const rows = Math.min(view.getUint32(box.start + headerBytes - 4), room, TABLE_ENTRIES_MAX);
  return Uint32Array.from({ length: rows * width }, (_, entry) =>
    view.getUint32(box.start + headerBytes + 4 * entry),
  );
}

/** Reads the sizes of the samples: each has its own, or one size counts for all. */
function readSizes(index: Uint8Array, box: Box | undefined): Uint32Array {
  if (box === undefined || box.start + 12 > box.end) return new Uint32Array();
  const view = viewBytes(index);
  const common = view.getUint32(box.start + 4);
  if (common === 0) return readTable(index, box, 1, 12).subarray(0, SAMPLES_MAX);
  return new Uint32Array(Math.min(view.getUint32(box.start + 8), SAMPLES_MAX)).fill(common);
}

/** Returns when each sample begins, and when the last one ends, in units of the track; `runs` are rows of two numbers. */
function sampleStarts(runs: Uint32Array, count: number): Float64Array {
  const starts = new Float64Array(count + 1);
  let [sample, at] = [0, 0];
  for (let row = 0; row + 1 < runs.length; row += 2) {
    for (let left = runs[row] ?? 0; left > 0 && sample < count; left -= 1) {
      sample += 1;
      at += runs[row + 1] ?? 0;
      starts[sample] = at;
    }
  }
  return starts.fill(at, sample + 1);
}
