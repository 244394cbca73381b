import { expect, test } from 'vitest';
import { toDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { toVideoSeconds } from '#engine/video/video-clock.ts';
import { findPublicStep, findStep } from './find-step.ts';
import type { Recording } from './open-recording.ts';

const KEY = `file:1000:${'a'.repeat(64)}`;
const startTimeMs = Date.UTC(2026, 4, 16, 9, 30);
const drive = simulateDrive(KART_TRACK, { seed: 5, laps: 3, startTimeMs, receiver: { rateHz: 10 } });
const lap = drive.trueLaps[1] ?? { startTimeMs: 0, lapTimeMs: 0 };
const lapFixes = drive.fixes.filter(
  ({ timeMs }) => timeMs >= lap.startTimeMs && timeMs <= lap.startTimeMs + lap.lapTimeMs,
);
const trace = {
  timesMs: lapFixes.map(({ timeMs }) => timeMs - lap.startTimeMs),
  meters: [],
  latSteps: toDegreeSteps(Float64Array.from(lapFixes, ({ lat }) => lat)),
  lonSteps: toDegreeSteps(Float64Array.from(lapFixes, ({ lon }) => lon)),
  speedsKmh: [],
  channels: { version: 1 as const, columns: [] },
  corners: [],
};
const times = {
  lapStartMs: lap.startTimeMs,
  sessionStartMs: startTimeMs,
  utcOffsetMinutes: 120,
  videos: [],
};
const asked = { times, trace, lapTimeMs: lap.lapTimeMs, own: [] };
const anchor = (videoSeconds: number) => ({ videoSeconds, timeMs: lap.startTimeMs });

const info = {
  durationSeconds: 600,
  creationMs: null,
  codec: 'avc1',
  width: 1_920,
  height: 1_080,
  rotation: 0,
  framesPerSecond: 25,
  isEven: true,
  isCut: false,
};
const recording: Recording = { name: 'a.mp4', key: KEY, info, chapters: [], camera: null, warnings: [] };

/** Films the drive from its first fix on. */
const camera = {
  camera: 'HERO9',
  isExact: true,
  utcTimesMs: [],
  speedsMetersPerSecond: [],
  mediaTimesMs: drive.fixes.map(({ timeMs }) => timeMs - startTimeMs),
  lats: drive.fixes.map(({ lat }) => lat),
  lons: drive.fixes.map(({ lon }) => lon),
  moments: drive.fixes.map(({ timeMs }) => ({ mediaMs: timeMs - startTimeMs, utcMs: timeMs })),
};

test('what somebody has set counts before what is in the file, and that of the reader before that of the driver', () => {
  const filmed = { ...recording, camera };
  const saved = { ...times, videos: [{ key: KEY, anchors: [anchor(20)] }] };
  expect(findStep(filmed, { ...asked, times: saved })).toMatchObject({
    clock: { videoSeconds: 20 },
    sentence: 'In step by a moment that its driver set.',
  });
  expect(findStep(filmed, { ...asked, times: saved, own: [anchor(30)] })).toMatchObject({
    clock: { videoSeconds: 30 },
    sentence: 'In step by a moment that you set.',
  });
  expect(findStep({ ...recording, key: '' }, { ...asked, times: saved }).clock).toBeNull();
});

test('the GPS of a camera puts its video in step, and a guess that fits several laps is said and not made', () => {
  const found = findStep({ ...recording, camera }, asked);
  expect(found.sentence).toBe('In step by the GPS of the camera, to a frame.');
  expect(found.clock && toVideoSeconds(found.clock, lap.startTimeMs)).toBeCloseTo(
    (lap.startTimeMs - startTimeMs) / 1_000,
    1,
  );
  const late = findStep({ ...recording, camera: { ...camera, isExact: false } }, asked);
  expect(late.sentence).toMatch(/^In step by the GPS of the camera, which it writes late/);
  const withoutUtc = findStep({ ...recording, camera: { ...camera, moments: [] } }, asked);
  expect(withoutUtc).toMatchObject({
    clock: null,
    sentence: expect.stringMatching(/^The GPS of the camera fits several laps, so nothing was guessed/),
  });
  const elsewhere = { ...camera, lats: camera.lats.map((lat) => lat + 0.02) };
  expect(findStep({ ...recording, camera: elsewhere }, asked)).toMatchObject({
    clock: null,
    sentence: expect.stringMatching(/^The GPS of the camera was not where this lap was driven/),
  });
});

const findByClock = (creationMs: number | null, durationSeconds = 600) =>
  findStep({ ...recording, info: { ...info, creationMs, durationSeconds } }, asked);

test('the clock of a camera is a first guess, made only where one reading of it fits', () => {
  expect(findByClock(startTimeMs)).toMatchObject({
    clock: { videoSeconds: 0, timeMs: startTimeMs },
    sentence: expect.stringMatching(/^Guessed by the clock of the camera\. Find the moment/),
  });
  expect(findByClock(startTimeMs, 5 * 3_600)).toMatchObject({
    clock: null,
    sentence: expect.stringMatching(/^The clock of the camera fits several moments/),
  });
  expect(findByClock(startTimeMs + 86_400_000)).toMatchObject({
    clock: null,
    sentence: expect.stringMatching(/^By the clock of the camera it shows another time/),
  });
  expect(findByClock(null)).toMatchObject({
    clock: null,
    sentence: expect.stringMatching(/^Nothing in the file says when it was recorded/),
  });
});

test('the session begins at the moment in the link of a public video', () => {
  const video = { site: 'YouTube', id: 'M7lc1UVf-VE', hash: null, startSeconds: 95 } as const;
  expect(findPublicStep(video, 'youtube:M7lc1UVf-VE', asked)).toMatchObject({
    clock: { videoSeconds: 95, timeMs: startTimeMs },
    sentence: expect.stringMatching(/to about a second\.$/),
  });
  const unknown = findPublicStep({ ...video, startSeconds: null }, 'youtube:M7lc1UVf-VE', asked);
  expect(unknown).toMatchObject({
    clock: null,
    sentence: expect.stringMatching(/^Its link does not say when the session begins/),
  });
});
