import { expect, test } from 'vitest';
import { UnreadableLapFileError } from '../lap-file.ts';
import { readVideoFile, type VideoFile } from './read-video-file.ts';

const long = (...values: number[]) => {
  const bytes = new Uint8Array(4 * values.length);
  values.forEach((value, index) => new DataView(bytes.buffer).setUint32(4 * index, value >>> 0));
  return bytes;
};
const text = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const box = (type: string, ...content: Uint8Array[]) => {
  const whole = join(...content);
  return join(long(whole.length + 8), text(type), whole);
};

const CREATED_SECONDS = (Date.UTC(2026, 4, 16, 9, 30) - Date.UTC(1904, 0, 1)) / 1_000;
/** The video has one sample of this size. */
const LAST_BYTES = 10;
const TURNED = 0x1_00_00;

type Given = {
  codec?: string;
  runs?: number[][];
  matrix?: number[];
  created?: number;
  durationMs?: number;
  isFragmented?: boolean;
  lastOffset?: number;
};

/** Writes a video of which only the index is there: 25 frames a second of 40 units each, unless given otherwise. */
function writeVideo({
  codec = 'avc1',
  runs = [[250, 40]],
  matrix = [TURNED, 0, 0, 0, TURNED],
  created = CREATED_SECONDS,
  durationMs = 10_000,
  isFragmented = false,
  lastOffset = 0,
}: Given = {}): Uint8Array {
  const entry = join(
    long(86),
    text(codec),
    new Uint8Array(24),
    long((1_920 << 16) + 1_080),
    new Uint8Array(50),
  );
  const tables = box(
    'stbl',
    box('stsd', long(0, 1), entry),
    box('stts', long(0, runs.length, ...runs.flat())),
    box('stsz', long(0, LAST_BYTES, 1)),
    box('stsc', long(0, 1, 1, 1, 1)),
    box('stco', long(0, 1, lastOffset)),
  );
  const handler = box('hdlr', long(0, 0), text('vide'), new Uint8Array(12));
  const media = box(
    'mdia',
    box('mdhd', long(0, created, created, 1_000, durationMs, 0)),
    handler,
    box('minf', tables),
  );
  const header = box(
    'tkhd',
    long(0, 0, 0, 1, 0, durationMs, 0, 0, 0, 0, ...matrix, 0, 0, 0, 0x40_00_00_00, 0, 0),
  );
  const movie = box('mvhd', long(0, created, created, 1_000, durationMs));
  const more = isFragmented ? box('mvex') : new Uint8Array();
  return join(box('ftyp', text('qt  '), long(0)), box('moov', movie, box('trak', header, media), more));
}

function read(video: Uint8Array): { info: VideoFile; bytesRead: number } {
  const reading = readVideoFile(video.length);
  let step = reading.next();
  let bytesRead = 0;
  while (!step.done) {
    const { offset, length } = step.value;
    bytesRead += length;
    step = reading.next(video.slice(offset, offset + length));
  }
  return { info: step.value.info, bytesRead };
}

test('the index says when the video was made, how long it is and what its picture is', () => {
  expect(read(writeVideo()).info).toEqual({
    durationSeconds: 10,
    creationMs: Date.UTC(2026, 4, 16, 9, 30),
    codec: 'avc1',
    width: 1_920,
    height: 1_080,
    rotation: 0,
    framesPerSecond: 25,
    isEven: true,
    isCut: false,
  });
});

test('a turned picture, uneven frames and a camera without a clock are reported', () => {
  expect(read(writeVideo({ matrix: [0, TURNED, 0, -TURNED, 0] })).info.rotation).toBe(90);
  expect(read(writeVideo({ matrix: [0, -TURNED, 0, TURNED, 0] })).info.rotation).toBe(270);
  expect(
    read(
      writeVideo({
        runs: [
          [100, 40],
          [100, 33],
          [50, 50],
        ],
      }),
    ).info.isEven,
  ).toBe(false);
  expect(
    read(
      writeVideo({
        runs: [
          [249, 40],
          [1, 12],
        ],
      }),
    ).info.isEven,
  ).toBe(true);
  expect(read(writeVideo({ created: 0 })).info.creationMs).toBeNull();
});

test('a file that ends before the end of its last picture is cut', () => {
  const { length } = writeVideo();
  expect(read(writeVideo({ lastOffset: length - LAST_BYTES })).info.isCut).toBe(false);
  expect(read(writeVideo({ lastOffset: length - LAST_BYTES + 1 })).info.isCut).toBe(true);
});

test('files without a picture, without an index or of no sensible length are refused with a sentence', () => {
  const whole = writeVideo();
  for (const [video, sentence] of [
    [whole.slice(0, 40), /index is missing/],
    [text('RIFF....WEBMVP9 '), /no MP4 or MOV/],
    [new Uint8Array(), /no MP4 or MOV/],
    [writeVideo({ durationMs: 0, runs: [], isFragmented: true }), /written in fragments/],
    [
      join(box('ftyp', text('qt  '), long(0)), box('moov', box('mvhd', long(0, 0, 0, 1_000, 10)))),
      /no picture/,
    ],
    [writeVideo({ durationMs: 4_000_000_000 }), /no sensible length/],
  ] as const)
    expect(() => read(video)).toThrow(sentence);
});

test('an index that lies anywhere is read or refused, never beyond its end and never slowly', () => {
  const whole = writeVideo();
  for (let at = 0; at < whole.length; at += 1) {
    for (const value of [0, 1, 127, 255]) {
      const broken = whole.slice();
      broken[at] = value;
      try {
        const { info, bytesRead } = read(broken);
        expect(info.durationSeconds).toBeGreaterThan(0);
        expect(bytesRead).toBeLessThanOrEqual(2 * whole.length);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableLapFileError);
      }
    }
  }
});

test('of 64 GB with the index at the end only the heads of boxes and the index are read', () => {
  const whole = writeVideo();
  const headBytes = 16;
  const index = whole.slice(headBytes);
  const pictureBytes = 64 * 1024 ** 3;
  const start = join(whole.slice(0, headBytes), long(1), text('mdat'), long(pictureBytes / 2 ** 32, 0));
  const indexAt = headBytes + pictureBytes;
  const sizeBytes = indexAt + index.length;
  const reading = readVideoFile(sizeBytes);
  let bytesRead = 0;
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    bytesRead += length;
    expect(offset + length).toBeLessThanOrEqual(sizeBytes);
    const from = offset >= indexAt ? index.slice(offset - indexAt) : start.slice(offset);
    step = reading.next(from.slice(0, length));
  }
  expect(step.value.info.durationSeconds).toBe(10);
  expect(bytesRead).toBeLessThan(index.length + 64);
});
