import { viewBytes } from '../formats/binary/binary-format.ts';
import { findEnd, listBoxes, readIndex, type RangeReading } from '../formats/camera/mp4-samples.ts';
import type { CameraRecording } from '../formats/camera/read-camera-video.ts';
import { readPositions } from '../formats/camera/read-positions.ts';
import { UnreadableLapFileError } from '../lap-file.ts';

/** Holds what the index of a video says about it. */
export type VideoFile = {
  durationSeconds: number;
  /** When the camera says it began or ended, by its own clock, as if that were UTC; null where it says nothing. */
  creationMs: number | null;
  /** Four letters, such as `avc1` or `hvc1`. */
  codec: string;
  width: number;
  height: number;
  /** Degrees clockwise by which players turn the picture: 0, 90, 180 or 270. */
  rotation: number;
  framesPerSecond: number;
  /** False where frames last differently long, as phones record them. */
  isEven: boolean;
  /** True where the file ends before its last picture. */
  isCut: boolean;
};

/** QuickTime counts from 1904. */
const EPOCH_MS = Date.UTC(1904, 0, 1);
const EARLIEST_MS = Date.UTC(1995, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);
const DAY_SECONDS_MAX = 2 * 86_400;
const PICTURE_PIXELS_MAX = 16_384;
/** A frame may last this much longer or shorter than the others before they count as uneven. */
const UNEVEN_SHARE = 0.02;
const RUNS_MAX = 500_000;

/** Holds what a file says: its index, and where the camera was; null where it does not say that. */
export type ReadVideoFile = { info: VideoFile; recording: CameraRecording | null };

/**
 * Reads an MP4 or MOV file by its index, and the positions in it by its metadata. Throws UnreadableLapFileError with a sentence where it is
 * none, or not whole.
 */
export function* readVideoFile(sizeBytes: number): RangeReading<ReadVideoFile> {
  const index = yield* readIndex(sizeBytes);
  const info = describeVideo(index, sizeBytes);
  const recording = yield* readPositions({ index, sizeBytes, creationMs: info.creationMs });
  return { info, recording };
}

function describeVideo(index: Uint8Array, sizeBytes: number): VideoFile {
  const boxes = listBoxes(index, 0, index.length);
  const picture = boxes.flatMap((box) => (box.type === 'trak' ? (readPicture(index, box) ?? []) : []))[0];
  if (picture === undefined) throw new UnreadableLapFileError('This file holds no picture. Choose a video.');
  const movie = boxes.find(({ type }) => type === 'mvhd');
  const header = movie ? readHeader(index, movie.start, movie.end) : null;
  const durationSeconds = header?.durationSeconds || picture.durationSeconds;
  if (durationSeconds === 0 && boxes.some(({ type }) => type === 'mvex'))
    throw new UnreadableLapFileError(
      'This video is written in fragments, without an index of the whole. Copy it into an ordinary MP4 first, as `ffmpeg -i in.mp4 -c copy out.mp4` does.',
    );
  if (!(durationSeconds > 0 && durationSeconds <= DAY_SECONDS_MAX))
    throw new UnreadableLapFileError(
      'The index of this video says no sensible length. Copy it from the camera again.',
    );
  const isCut = findEnd(index, picture.codec) > sizeBytes;
  return { ...picture, durationSeconds, creationMs: header?.creationMs ?? null, isCut };
}

type Box = { type: string; start: number; end: number };

function find(index: Uint8Array, parent: Box, ...path: string[]): Box | null {
  let current: Box | null = parent;
  for (const type of path) {
    const { start, end }: Box = current;
    current = listBoxes(index, start, end).find((box) => box.type === type) ?? null;
    if (current === null) return null;
  }
  return current;
}

/** Reads `mvhd` or `mdhd`; both begin alike. Null where the box is too short. */
function readHeader(index: Uint8Array, start: number, end: number) {
  const isLong = index[start] === 1;
  if (start + (isLong ? 32 : 20) > end) return null;
  const view = viewBytes(index);
  const long = (at: number) => (isLong ? Number(view.getBigUint64(at)) : view.getUint32(at));
  const creationMs = EPOCH_MS + long(start + 4) * 1_000;
  const timescale = view.getUint32(start + (isLong ? 20 : 12));
  const units = long(start + (isLong ? 24 : 16));
  return {
    creationMs: creationMs > EARLIEST_MS && creationMs < LATEST_MS ? creationMs : null,
    timescale,
    durationSeconds: timescale > 0 ? units / timescale : 0,
  };
}

type Picture = Omit<VideoFile, 'creationMs' | 'isCut'>;

/** Describes the track of a picture; null for sound and metadata. */
function readPicture(index: Uint8Array, track: Box): Picture | null {
  const handler = find(index, track, 'mdia', 'hdlr');
  if (!handler || readAscii(index, handler.start + 8) !== 'vide') return null;
  const mediaHeader = find(index, track, 'mdia', 'mdhd');
  const media = mediaHeader && readHeader(index, mediaHeader.start, mediaHeader.end);
  const tables = find(index, track, 'mdia', 'minf', 'stbl');
  const description = tables && find(index, tables, 'stsd');
  const times = tables && find(index, tables, 'stts');
  if (!media || !description || !times || description.start + 44 > description.end) return null;
  const view = viewBytes(index);
  const entry = description.start + 8;
  const trackHeader = find(index, track, 'tkhd');
  return {
    codec: readAscii(index, entry + 4).replaceAll(/[^ -~]/g, '?'),
    width: Math.min(PICTURE_PIXELS_MAX, view.getUint16(entry + 32)),
    height: Math.min(PICTURE_PIXELS_MAX, view.getUint16(entry + 34)),
    rotation: trackHeader ? readRotation(index, trackHeader) : 0,
    ...readFrameTimes(index, times, media.timescale),
  };
}

function readAscii(index: Uint8Array, at: number): string {
  return String.fromCharCode(...index.subarray(at, at + 4));
}

/** Reads the first row of the matrix in `tkhd`, which turns the picture. */
function readRotation(index: Uint8Array, { start, end }: Box): number {
  const matrix = start + (index[start] === 1 ? 52 : 40);
  if (matrix + 8 > end) return 0;
  const view = viewBytes(index);
  const degrees = (Math.atan2(view.getInt32(matrix + 4), view.getInt32(matrix)) * 180) / Math.PI;
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;
}

/** Reads how long frames last: runs of equal ones. */
function readFrameTimes(index: Uint8Array, { start, end }: Box, timescale: number) {
  const view = viewBytes(index);
  const room = Math.max(0, Math.floor((end - start - 8) / 8));
  const runs = start + 8 <= end ? Math.min(view.getUint32(start + 4), room, RUNS_MAX) : 0;
  let [frames, units, shortest, longest] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for (let run = 0; run < runs; run += 1) {
    const count = view.getUint32(start + 8 + 8 * run);
    const duration = view.getUint32(start + 12 + 8 * run);
    frames += count;
    units += count * duration;
    // The last frame lasts until the recording ended.
    if (run === runs - 1 && count === 1 && runs > 1) continue;
    shortest = Math.min(shortest, duration);
    longest = Math.max(longest, duration);
  }
  const durationSeconds = timescale > 0 ? units / timescale : 0;
  return {
    durationSeconds,
    framesPerSecond: durationSeconds > 0 ? frames / durationSeconds : 0,
    isEven: longest - shortest <= UNEVEN_SHARE * longest,
  };
}
