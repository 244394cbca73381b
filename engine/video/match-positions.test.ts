import { expect, test } from 'vitest';
import { simulateDrive, type SimulatedDrive } from '../simulation/drive.ts';
import { joinVideo, writeGoProVideo } from '../testing/write-gopro-mp4.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { readCameraVideo, type CameraRecording } from '../formats/camera/read-camera-video.ts';
import { matchPositions, type CameraPositions, type LapPositions } from './match-positions.ts';
import { toVideoSeconds } from './video-clock.ts';

const startTimeMs = Date.UTC(2026, 4, 16, 9, 30);
const filmed = simulateDrive(KART_TRACK, { seed: 5, laps: 3, startTimeMs, receiver: { rateHz: 18.2 } });
const logged = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  startTimeMs,
  receiver: { rateHz: 10 },
  receiverSeed: 77,
});

function readCamera(drive: SimulatedDrive): CameraPositions {
  const video = joinVideo(writeGoProVideo(drive));
  const reading = readCameraVideo(video.length);
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    step = reading.next(video.slice(offset, offset + length));
  }
  return toPositions(step.value);
}

function toPositions({ samples, mediaTimesMs, moments }: CameraRecording): CameraPositions {
  return { mediaTimesMs, moments, lats: samples.map(({ lat }) => lat), lons: samples.map(({ lon }) => lon) };
}

/** Cuts the second lap, or the only one, out of what the logger has recorded. */
function cutLap(drive: SimulatedDrive, laterMs = 0): LapPositions {
  const { startTimeMs: startMs, lapTimeMs } = drive.trueLaps[1] ??
    drive.trueLaps[0] ?? { startTimeMs: 0, lapTimeMs: 0 };
  const fixes = drive.fixes.filter(({ timeMs }) => timeMs >= startMs && timeMs <= startMs + lapTimeMs);
  return {
    startMs: startMs + laterMs,
    timesMs: fixes.map(({ timeMs }) => timeMs - startMs),
    lats: fixes.map(({ lat }) => lat),
    lons: fixes.map(({ lon }) => lon),
  };
}

const camera = readCamera(filmed);
const lap = cutLap(logged);
/** The camera began with the first fix of the drive. */
const expectedSeconds = (lap.startMs - (filmed.fixes[0]?.timeMs ?? 0)) / 1_000;

function findSeconds(positions: CameraPositions, wanted: LapPositions): number {
  const match = matchPositions(positions, wanted);
  if (match.kind !== 'one') throw new Error(`The match is ${match.kind}.`);
  return toVideoSeconds(match.clock, wanted.startMs);
}

test('a GoPro is in step to a frame by the clock of its satellites', () => {
  expect(Math.abs(findSeconds(camera, lap) - expectedSeconds)).toBeLessThan(0.04);
});

test('without UTC, and with another clock in the lap file, the route alone tells where the only lap is', () => {
  const [filmedOnce, loggedOnce] = [18.2, 10].map((rateHz) =>
    simulateDrive(KART_TRACK, { seed: 5, laps: 1, startTimeMs, receiver: { rateHz }, receiverSeed: rateHz }),
  );
  if (!filmedOnce || !loggedOnce) throw new Error('There are no drives.');
  const once = readCamera(filmedOnce);
  const expected = (cutLap(loggedOnce).startMs - (filmedOnce.fixes[0]?.timeMs ?? 0)) / 1_000;
  expect(Math.abs(findSeconds({ ...once, moments: [] }, cutLap(loggedOnce)) - expected)).toBeLessThan(0.04);
  expect(Math.abs(findSeconds(once, cutLap(loggedOnce, 7_200_000)) - expected)).toBeLessThan(0.04);
});

test('laps that were driven alike fit several parts of a video without UTC, which is not guessed', () => {
  expect(matchPositions({ ...camera, moments: [] }, lap)).toEqual({ kind: 'several' });
});

test('a video of another place fits nothing', () => {
  expect(matchPositions({ ...camera, lats: camera.lats.map((lat) => lat + 0.02) }, lap)).toEqual({
    kind: 'none',
  });
});
