import { expect, test } from 'vitest';
import { bestLapsOf, listTriedSamples } from '../../tests/lap-samples.ts';
import { libraryTrack } from '../../tests/library.ts';
import { isLongRun } from '../../tests/long-run.ts';
import { at } from '../fix-columns.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { isRanking } from '../timing/laps.ts';
import { compareLaps, type ComparedLap } from './compare-laps.ts';
import { lineOfLap } from './build-reference-line.ts';
import { lapAlongLine } from './lap-along-line.ts';
import { cutLapTrace, decodeLapTrace, encodeLapTrace, type TracedLap } from './lap-trace.ts';

const TRACK = libraryTrack('grattan-raceway-full');
const RECEIVERS: Partial<Receiver>[] = [
  { rateHz: 25, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.1 },
  { rateHz: 10, jitterMs: 4, driftMeters: 1 },
  { rateHz: 5, hasSpeed: false, timeStampStepMs: 10 },
  { rateHz: 1, noiseMeters: 1, lossShare: 0.05 },
];

function drive(seed: number, receiver: Partial<Receiver>): TracedLap[] {
  const file = openFixes(toLapFile(simulateDrive(TRACK, { seed, laps: 3, receiver }).fixes));
  return timeLaps(file, TRACK)
    .laps.filter(isRanking)
    .map((lap) => ({ ...file, lap }));
}

function stored(lap: TracedLap): TracedLap {
  const decoded = decodeLapTrace(encodeLapTrace(lap));
  if (decoded === null) throw new Error('The bytes are complete.');
  return decoded;
}

function compared(first: TracedLap, second: TracedLap): ComparedLap {
  const [other] = compareLaps(first, [{ ...second, isSameRecording: false }])?.laps ?? [];
  if (other === undefined) throw new Error('The laps were driven on one track.');
  return other;
}

test('stored lap traces compare as the raw files do, within 1 ms', () => {
  for (const receiver of RECEIVERS) {
    const [first, second] = [drive(1, receiver)[1], drive(2, receiver)[1]];
    if (first === undefined || second === undefined) throw new Error('There are laps.');
    const plain = compared(first, second);
    const { gapMs, bandMs, speedsMetersPerSecond } = compared(stored(first), stored(second));
    gapMs.forEach((gap, station) => {
      expect(Math.abs(gap - at(plain.gapMs, station))).toBeLessThan(1);
      expect(Math.abs(at(bandMs, station) - at(plain.bandMs, station))).toBeLessThan(1);
      const speed = at(plain.speedsMetersPerSecond, station);
      expect(Math.abs(at(speedsMetersPerSecond, station) - speed)).toBeLessThan(0.05);
    });
  }
});

test('a stored lap trace has the fixes of the lap, and of a few seconds before and after it, but no others', () => {
  const [, lap] = drive(3, { rateHz: 10 });
  if (lap === undefined) throw new Error('There are laps.');
  const { timesMs, length } = stored(lap).trace.fixes;
  const { startTimeMs, lapTimeMs } = lap.lap;
  expect(at(timesMs, 0)).toBeGreaterThan(startTimeMs - 3500);
  expect(at(timesMs, 0)).toBeLessThan(startTimeMs - 2900);
  expect(at(timesMs, length - 1)).toBeGreaterThan(startTimeMs + lapTimeMs + 2900);
  expect(at(timesMs, length - 1)).toBeLessThan(startTimeMs + lapTimeMs + 3500);
});

test('channels are kept in their steps, and what is unknown stays unknown', () => {
  const [lap] = drive(6, { rateHz: 10 });
  if (lap === undefined) throw new Error('There are laps.');
  const { timesMs } = lap.trace.fixes;
  const channels = {
    throttle: timesMs.map((_, fix) => (fix % 50 < 10 ? Number.NaN : (fix * 7) % 101)),
    rpm: timesMs.map((_, fix) => 6000 + 37.3 * (fix % 100)),
    gear: timesMs.map((_, fix) => (fix % 8) - 1),
    lateralAcceleration: timesMs.map((_, fix) => 20 * Math.sin(fix / 5)),
  };
  const traced = { ...lap, trace: { ...lap.trace, fixes: { ...lap.trace.fixes, channels } } };
  const [before, after] = [cutLapTrace(traced).trace.fixes.channels, stored(traced).trace.fixes.channels];
  expect(Object.keys(after ?? {})).toEqual(['throttle', 'rpm', 'gear', 'lateralAcceleration']);
  expect(after?.throttle).toEqual(before?.throttle);
  expect(after?.gear).toEqual(before?.gear);
  before?.rpm?.forEach((value, fix) =>
    expect(Math.abs(at(after?.rpm ?? timesMs, fix) - value)).toBeLessThanOrEqual(25),
  );
  before?.lateralAcceleration?.forEach((value, fix) =>
    expect(Math.abs(at(after?.lateralAcceleration ?? timesMs, fix) - value)).toBeLessThanOrEqual(0.2501),
  );
});

test('fixes are kept to the millimetre, 10 µs and 1 mm/s; a speed that is missing stays missing', () => {
  const [lap] = drive(4, RECEIVERS[1] ?? {});
  if (lap === undefined) throw new Error('There are laps.');
  lap.trace.fixes.speedsMetersPerSecond[100] = Number.NaN;
  const [before, after] = [cutLapTrace(lap), stored(lap)];
  const { fixes } = before.trace;
  expect(after.trace.fixes).toHaveLength(fixes.length);
  for (let fix = 0; fix < fixes.length; fix += 1) {
    expect(Math.abs(at(after.trace.fixes.timesMs, fix) - at(fixes.timesMs, fix))).toBeLessThan(0.006);
    expect(Math.abs(at(after.trace.fixes.lats, fix) - at(fixes.lats, fix))).toBeLessThan(0.51e-8);
    expect(Math.abs(at(after.trace.fixes.lons, fix) - at(fixes.lons, fix))).toBeLessThan(0.51e-8);
    const [speed, kept] = [fixes, after.trace.fixes].map((each) => at(each.speedsMetersPerSecond, fix));
    if (Number.isNaN(speed)) expect(kept).toBeNaN();
    else expect(Math.abs((kept ?? 0) - (speed ?? 0))).toBeLessThan(0.00051);
  }
  const { fixes: _, ...rest } = before.trace;
  expect(after).toMatchObject({ trace: rest, lap: before.lap, noise: before.noise, speeds: before.speeds });
});

test('bytes that are cut, too long, of another version or of something else give null', () => {
  const [lap] = drive(5, { rateHz: 5 });
  if (lap === undefined) throw new Error('There are laps.');
  const bytes = encodeLapTrace(lap);
  for (const broken of [
    new Uint8Array(0),
    bytes.subarray(0, 1),
    bytes.subarray(0, 60),
    bytes.subarray(0, bytes.length - 1),
    Uint8Array.from([...bytes, 0]),
    Uint8Array.from([200, ...bytes.subarray(1)]),
    new Uint8Array(5000).fill(255),
    new TextEncoder().encode('{"type":"FeatureCollection"}'),
  ])
    expect(decodeLapTrace(broken)).toBeNull();
});

test('a lap of 5 km at 25 Hz takes less than 40 kB, before compression', () => {
  const track = libraryTrack('silverstone-circuit-grand-prix-arena');
  const receiver = { rateHz: 25, noiseMeters: 0.03, speedNoiseMetersPerSecond: 0.1 };
  const file = openFixes(toLapFile(simulateDrive(track, { seed: 1, laps: 1, receiver }).fixes));
  const [lap] = timeLaps(file, track).laps.filter(isRanking);
  if (lap === undefined) throw new Error('There is a lap.');
  expect(encodeLapTrace({ ...file, lap }).length).toBeLessThan(40_000);
});

test('a lap for others begins on the start/finish line and ends on it', () => {
  for (const receiver of RECEIVERS) {
    const [, lap, reference] = drive(6, receiver);
    const line = reference === undefined ? null : lineOfLap(reference);
    const along = lap === undefined || line === null ? null : lapAlongLine(line, lap);
    if (lap === undefined || line === null || along === null) throw new Error('The lap lies on the line.');
    const { timesMs, meters, lats, lons, speedsMetersPerSecond } = along;
    const last = timesMs.length - 1;
    expect([at(timesMs, 0), at(meters, 0)]).toEqual([0, 0]);
    expect(at(timesMs, last)).toBeCloseTo(lap.lap.lapTimeMs, 6);
    expect(at(meters, last)).toBeCloseTo(line.endMeters - line.startMeters, 6);
    for (const column of [meters, lats, lons, speedsMetersPerSecond])
      expect(column).toHaveLength(timesMs.length);
    timesMs.forEach((timeMs, index) => {
      if (index === 0) return;
      expect(timeMs).toBeGreaterThan(at(timesMs, index - 1));
      expect(at(meters, index)).toBeGreaterThanOrEqual(at(meters, index - 1));
    });
  }
});

const samplesFolder = process.env['LAP_SAMPLES'];

test.skipIf(samplesFolder === undefined)(
  'on recordings, stored lap traces compare as the raw file does, within 1 ms',
  { timeout: 300_000 },
  () => {
    let compares = 0;
    for (const sample of listTriedSamples(samplesFolder ?? '')) {
      const [first, second] = bestLapsOf(sample);
      if (first === undefined || second === undefined) continue;
      const plain = compared(first, second);
      const { gapMs } = compared(stored(first), stored(second));
      gapMs.forEach((gap, station) =>
        expect(Math.abs(gap - at(plain.gapMs, station)), sample.name).toBeLessThan(1),
      );
      compares += 1;
    }
    expect(compares).toBeGreaterThan(isLongRun ? 20 : 2);
  },
);
