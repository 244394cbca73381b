import { expect, test } from 'vitest';
import { simulateDrive, type DrivenFix } from '../../simulation/drive.ts';
import { seededRandom } from '../../simulation/random.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import {
  addMetadataTrack,
  joinVideo,
  writeGoProVideo,
  writeMetadataVideo,
} from '../../testing/write-gopro-mp4.ts';
import {
  bytesOf,
  CAMERA_WRITERS,
  camm,
  djmd,
  field,
  join,
  motion,
  position,
  PROTOCOL,
  subtitle,
} from '../../testing/write-camera-metadata.ts';
import { readIndex } from './mp4-samples.ts';
import type { CameraRecording } from './read-camera-video.ts';
import { readPositions } from './read-positions.ts';

const START_MS = Date.UTC(2026, 4, 16, 9, 30);
const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 1,
  startTimeMs: START_MS,
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});
const { fixes } = drive;
const startMs = fixes[0]?.timeMs ?? 0;

function read(video: Uint8Array, creationMs: number | null = START_MS): CameraRecording | null {
  const reading = readAll(video.length, creationMs);
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    if (offset + length > video.length) throw new Error('A range reaches beyond the end.');
    step = reading.next(video.slice(offset, offset + length));
  }
  return step.value;
}

function* readAll(sizeBytes: number, creationMs: number | null) {
  const index = yield* readIndex(sizeBytes);
  return yield* readPositions({ index, sizeBytes, creationMs });
}

const onlyMoving = fixes.filter(({ lat }, index) => lat !== fixes[index - 1]?.lat);
const places = ({ lat, lon }: { lat: number; lon: number }) => [lat.toFixed(6), lon.toFixed(6)];

test.each([1970, 1980] as const)('CAMM that counts from %i gives positions, UTC and speeds', (since) => {
  const samples = fixes.flatMap((fix) => [motion(), camm(fix, since), motion(), motion()]);
  const recording = read(writeMetadataVideo({ kind: 'camm', samples, sampleMs: 25 }));
  expect(recording).toMatchObject({ camera: 'CAMM', isUtc: true, isExact: true });
  expect(recording?.samples.map(places)).toEqual(fixes.map(places));
  expect(recording?.mediaTimesMs.slice(0, 3)).toEqual([25, 125, 225]);
  recording?.samples.forEach(({ timeMs, speedMetersPerSecond }, index) => {
    expect(Math.abs(timeMs - (fixes[index]?.timeMs ?? 0))).toBeLessThan(60);
    expect(speedMetersPerSecond).toBeCloseTo(fixes[index]?.speedMetersPerSecond ?? 0, 3);
  });
});

test('CAMM without a date has no UTC, without times no speeds, and several packets in a sample are read', () => {
  const timed = writeMetadataVideo({
    kind: 'camm',
    samples: fixes.map((fix) => camm(fix, 1980)),
    sampleMs: 100,
  });
  expect(read(timed, null)).toMatchObject({ isUtc: false, moments: [] });
  expect(read(timed, Date.UTC(1999, 0, 1))).toMatchObject({ isUtc: false, moments: [] });
  const several = fixes.map((fix) => join(motion(), position(fix), motion()));
  const recording = read(writeMetadataVideo({ kind: 'camm', samples: several, sampleMs: 100 }));
  expect(recording?.samples.map(places)).toEqual(fixes.map(places));
  expect(recording?.samples[0]?.speedMetersPerSecond).toBeNaN();
  const both = fixes.map((fix) => join(position(fix), camm(fix, 1980)));
  expect(read(writeMetadataVideo({ kind: 'camm', samples: both, sampleMs: 100 }))?.samples).toHaveLength(
    fixes.length,
  );
});

test.each([1, Math.PI / 180])(
  'the metadata of an Osmo Action give positions and whole seconds of UTC (%f)',
  (perDegree) => {
    // The camera repeats its position in each frame until the receiver has the next one.
    const samples = fixes.flatMap((fix, index) =>
      Array.from({ length: 5 }, (_, frame) =>
        join(index + frame === 0 ? PROTOCOL : [], djmd(fix, perDegree)),
      ),
    );
    const recording = read(writeMetadataVideo({ kind: 'djmd', samples, sampleMs: 20 }));
    expect(recording).toMatchObject({ camera: 'Osmo Action 5', isUtc: true, isExact: false });
    expect(recording?.samples.map(places)).toEqual(onlyMoving.map(places));
    expect(Math.abs((recording?.samples[0]?.timeMs ?? 0) - startMs)).toBeLessThan(1_000);
  },
);

test.each<[string, (fix: DrivenFix) => string]>([
  [
    'brackets',
    ({ lat, lon }) =>
      `<font size="28">FrameCnt: 1, DiffTime: 33ms\n2026-05-16 11:30:00.000\n[iso: 100] [latitude: ${lat}] [longitude: ${lon}] [rel_alt: 1.3 abs_alt: 132.8] </font>`,
  ],
  ['brackets of an older drone', ({ lat, lon }) => `[latitude : ${lat}] [longtitude : ${lon}] [iso : 100]`],
  [
    'longitude first',
    ({ lat, lon }) => `F/2.8, SS 320, ISO 100, EV 0, GPS (${lon}, ${lat}, 17), D 1.21m, H 2.70m`,
  ],
  [
    'latitude first, with a unit',
    ({ lat, lon }) => `2026.05.16 11:30:00\nGPS(${lat},${lon},12.0M) BAROMETER:0.3M`,
  ],
])('subtitles of a DJI drone give positions: %s', (_, write) => {
  const short = fixes.map((fix) => ({
    ...fix,
    lat: Number(fix.lat.toFixed(7)),
    lon: Number(fix.lon.toFixed(7)),
  }));
  const samples = short.map((fix) => subtitle(write(fix)));
  for (const kind of ['tx3g', 'text']) {
    const recording = read(writeMetadataVideo({ kind, samples, sampleMs: 100 }));
    expect(recording).toMatchObject({ camera: 'DJI', isUtc: false, isExact: false, moments: [] });
    expect(recording?.samples.map(places)).toEqual(
      short
        .filter(({ lat, lon }, index) => lat !== short[index - 1]?.lat || lon !== short[index - 1]?.lon)
        .map(places),
    );
  }
});

test('what has no positions, and cameras whose way of writing them is not known, give none', () => {
  const [first] = fixes;
  if (!first) throw new Error('There are no fixes.');
  const unknown = join(field(1, field(1, field(1, bytesOf('dvtm_zz999.proto')))), djmd(first));
  for (const [kind, sample] of [
    ['tmcd', new Uint8Array(4)],
    ['camm', camm({ ...first, lat: 91 }, 1980)],
    ['camm', camm({ ...first, lat: Number.NaN }, 1980)],
    ['djmd', unknown],
    ['tx3g', subtitle('I say, what a corner.')],
    ['tx3g', subtitle('[latitude: 0.0] [longitude: 0.0]')],
    ['text', subtitle('GPS (n/a, n/a, n/a)')],
    ['text', subtitle('GPS (199.5, 48.1, 17)')],
  ] as const)
    expect(
      read(writeMetadataVideo({ kind, samples: [sample, sample, sample], sampleMs: 40 })),
      kind,
    ).toBeNull();
  expect(read(joinVideo(writeGoProVideo(drive, { stream: null })))).toBeNull();
});

test('a GoPro counts before what else is in its file', () => {
  const both = addMetadataTrack(joinVideo(writeGoProVideo(drive)), {
    kind: 'camm',
    samples: fixes.map((fix) => camm(fix, 1980)),
    sampleMs: 100,
  });
  expect(read(both)).toMatchObject({ camera: 'HERO9', isExact: true });
});

const short = { ...drive, fixes: fixes.slice(0, 60) };
const videos = Object.entries(CAMERA_WRITERS).map(([kind, write]) => ({ kind, video: write(short) }));

test.each(videos)('$kind that is broken anywhere is read or left, and never beyond its end', ({ video }) => {
  const random = seededRandom(3);
  for (let round = 0; round < 200; round += 1) {
    const broken = video.slice(
      0,
      random.uniform() < 0.2 ? Math.floor(random.uniform() * video.length) : video.length,
    );
    for (let change = 0; change < 10; change += 1)
      broken[Math.floor(random.uniform() * broken.length)] = Math.floor(256 * random.uniform());
    try {
      const recording = read(broken);
      expect(recording?.mediaTimesMs.length).toBe(recording?.samples.length);
      for (const { lat, lon } of recording?.samples ?? []) {
        expect(Math.abs(lat)).toBeLessThanOrEqual(90);
        expect(Math.abs(lon)).toBeLessThanOrEqual(180);
      }
    } catch (error) {
      expect(String(error)).toMatch(/This video is not whole|This file is no MP4 or MOV/);
    }
  }
});

test('a table that claims three million samples of one byte ends with the file', () => {
  const video = Buffer.from(CAMERA_WRITERS['camm']?.(short) ?? []);
  const sizes = video.indexOf('stsz') + 4;
  video.writeUInt32BE(1, sizes + 4);
  video.writeUInt32BE(0xff_ff_ff_ff, sizes + 8);
  const chunks = video.indexOf('stsc') + 4;
  video.writeUInt32BE(0xff_ff_ff_ff, chunks + 12);
  expect(read(video)).toBeNull();
});
