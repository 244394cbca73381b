import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { seededRandom } from '../../simulation/random.ts';
import { joinVideo, writeGoProVideo, type GoProOptions } from '#engine/testing/write-gopro-mp4.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { openLapFile, timeLaps } from '../../time-lap-file.ts';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { readCameraVideo, type CameraRecording } from './read-camera-video.ts';
import { writeCameraCsv } from './write-camera-csv.ts';

const startTimeMs = Date.UTC(2026, 4, 16, 9, 30);
const drives = {
  GPS5: simulateDrive(KART_TRACK, { seed: 5, laps: 3, startTimeMs, receiver: { rateHz: 18.2 } }),
  GPS9: simulateDrive(KART_TRACK, {
    seed: 5,
    laps: 3,
    startTimeMs,
    receiver: { rateHz: 10, timeStampStepMs: 1 },
  }),
};

/** Reads a video in memory, and counts what is read of it. */
function read(video: Uint8Array): { recording: CameraRecording; bytesRead: number } {
  const reading = readCameraVideo(video.length);
  let bytesRead = 0;
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    expect(offset + length).toBeLessThanOrEqual(video.length);
    bytesRead += length;
    step = reading.next(video.subarray(offset, offset + length));
  }
  return { recording: step.value, bytesRead };
}

function film(options: GoProOptions, drive = drives.GPS5): Uint8Array {
  return joinVideo(writeGoProVideo(drive, options));
}

test.each(['GPS5', 'GPS9'] as const)(
  'the laps of a video with %s are timed from the lap file that is made of it',
  (stream) => {
    const drive = drives[stream];
    const { recording } = read(film({ stream, firmware: stream === 'GPS5' ? 'HD9' : 'H24' }, drive));
    expect(recording.camera).toBe(stream === 'GPS5' ? 'HERO9' : 'HERO13');
    const csv = writeCameraCsv(recording, { name: 'GX010012.MP4', fingerprint: 'sha256:1234' });
    expect(csv).toContain('# fingerprint: sha256:1234');
    const file = openLapFile(new TextEncoder().encode(csv));
    expect({ format: file.format, clock: file.clock }).toEqual({ format: 'camera-csv', clock: 'utc' });
    expect(Math.abs((file.startTimeMs ?? 0) - startTimeMs)).toBeLessThan(60);
    const { laps } = timeLaps(file, KART_TRACK);
    expect(laps.map(({ status }) => status)).toEqual(['valid', 'valid', 'valid']);
    for (const [index, lap] of laps.entries())
      expect(Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(15);
  },
);

test('a HERO11 writes every position twice, of which those with times of their own count', () => {
  const { recording } = read(film({ stream: 'both', firmware: 'H22' }, drives.GPS9));
  expect(recording).toEqual(read(film({ stream: 'GPS9', firmware: 'H22' }, drives.GPS9)).recording);
  expect(recording.samples.length).toBe(drives.GPS9.fixes.length);
});

test('only the index and the metadata are read', () => {
  const video = film({ pictureBytes: 60_000 });
  const { bytesRead } = read(video);
  expect(bytesRead).toBeLessThan(video.length / 20);
});

test('positions without a fix are counted as having none', () => {
  const { recording } = read(film({ fixKind: (payload) => (payload < 10 ? 0 : 3) }));
  const csv = writeCameraCsv(recording, { name: 'a.mp4', fingerprint: '' });
  expect(openLapFile(new TextEncoder().encode(csv)).dropped.no_position).toBeGreaterThan(150);
});

test.each<[string, GoProOptions, RegExp]>([
  [
    'a HERO12, which has no GPS',
    { stream: null, firmware: 'H23' },
    /^This video comes from a HERO12, which has no GPS/,
  ],
  [
    'a camera with GPS switched off',
    { stream: null, firmware: 'HD9' },
    /^This video of a HERO9 holds no positions; switch on GPS/,
  ],
  ['a camera that never found its position', { fixKind: () => 0 }, /^This video has no GPS fix/],
])('%s is refused in words', (_, options, sentence) => {
  expect(() => read(film(options))).toThrow(sentence);
});

test('a video without an index, of another camera, or something else is refused in words', () => {
  const video = film({});
  expect(() => read(video.subarray(0, video.length - 3000))).toThrow('This video is not whole');
  expect(() => read(new TextEncoder().encode('time,lat,lon'))).toThrow('This file is no MP4 or MOV');
  const other = Uint8Array.from(video);
  const mark = Buffer.from(other.buffer).indexOf('gpmd');
  other.set([0x74, 0x6d, 0x63, 0x64], mark);
  expect(() => read(other)).toThrow('holds no positions of a GoPro');
});

test.each([
  ['32 bits', [0, 0, 0, 4]],
  ['32 bits, all but its header', [0, 0, 0, 7]],
  ['64 bits', [0, 0, 0, 1]],
])('an index that is shorter than its own header, in %s, is refused in words', (_, size) => {
  const broken = Uint8Array.from(film({}));
  const moov = Buffer.from(broken.buffer).indexOf('moov');
  broken.set(size, moov - 4);
  if (size[3] === 1) broken.set([0, 0, 0, 0, 0, 0, 0, 9], moov + 4);
  expect(() => read(broken)).toThrow('This video is not whole');
});

test('videos that are broken anywhere are read or refused, and never beyond their end', () => {
  const random = seededRandom(3);
  const video = film({ pictureBytes: 10 });
  for (let round = 0; round < 400; round += 1) {
    const broken = video.slice(
      0,
      random.uniform() < 0.2 ? Math.floor(random.uniform() * video.length) : video.length,
    );
    const inIndex = random.uniform() < 0.7;
    for (let change = 0; change < 12; change += 1) {
      const from = inIndex ? Math.max(0, broken.length - 2500) : 0;
      broken[from + Math.floor(random.uniform() * (broken.length - from))] = Math.floor(
        256 * random.uniform(),
      );
    }
    try {
      read(broken);
    } catch (error) {
      if (!(error instanceof UnreadableLapFileError)) throw error;
      expect(error.message).toMatch(/^This .*\.$/);
    }
  }
});
