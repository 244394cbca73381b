import { expect, test } from 'vitest';
import { buildCenterLine } from '../center-line.ts';
import { STANDARD_GRAVITY_METERS_PER_SECOND_SQUARED as G } from '../comparison/accelerations.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { followOutline, followQuantity, thinCurve } from './lap-curve.ts';
import { measureExtremes } from './lap-extremes.ts';

function drive(): TracedLap {
  const receiver = { rateHz: 10, noiseMeters: 0.05, driftMeters: 0.7, speedNoiseMetersPerSecond: 0.1 };
  const file = openFixes(toLapFile(simulateDrive(KART_TRACK, { seed: 1, laps: 1, receiver }).fixes));
  const [lap] = timeLaps(file, KART_TRACK).laps;
  if (lap === undefined) throw new Error('The drive has a lap.');
  return { ...file, lap };
}

test('the stretch of each quantity is the one whose value the checks compare', () => {
  const traced = drive();
  const extremes = measureExtremes(traced);
  const valueOf = (quantity: Parameters<typeof followQuantity>[1]) =>
    followQuantity(traced, quantity).held.value;
  expect(valueOf('cornering')).toBeCloseTo(extremes.lateralMetersPerSecondSquared / G, 9);
  expect(valueOf('braking')).toBeCloseTo(extremes.brakingMetersPerSecondSquared / G, 9);
  expect(valueOf('speed')).toBeCloseTo(3.6 * extremes.topSpeedMetersPerSecond, 9);
  expect(valueOf('power')).toBe(extremes.gainedWattsPerKilogram);
});

test('a curve that is thinned ends where the lap does, and keeps a peak of one fix', () => {
  const curve = followQuantity(drive(), 'speed');
  const peak = { ...curve, values: curve.values.map((value, row) => (row === 101 ? 999 : value)) };
  const thin = thinCurve(peak, 50);
  expect(thin.meters).toHaveLength(50);
  expect(thin.meters[0]).toBe(0);
  expect(thin.meters.at(-1)).toBeCloseTo(curve.meters.at(-1) ?? 0, 6);
  expect(thin.values.filter((value) => value === 999)).toHaveLength(1);
});

test('a lap that leaves out a part of the outline is far from it there, and nowhere else', () => {
  const traced = drive();
  const { outline } = KART_TRACK;
  if (outline === null) throw new Error('The kart track has an outline.');
  const line = buildCenterLine(KART_TRACK);
  // One end of the oval reaches 200 m farther out than anybody drove.
  const east = Math.max(...outline.map(([, lon]) => lon));
  const longer = outline.map(([lat, lon]): [number, number] => [
    lat,
    lon > east - 0.0004 ? lon + 0.0027 : lon,
  ]);
  const missed = buildCenterLine({ ...KART_TRACK, outline: longer });
  if (line === null || missed === null) throw new Error('Both have a centre line.');
  expect(followOutline(traced, line).held.last).toBe(-1);
  const { held, values, limit } = followOutline(traced, missed);
  expect(held.value).toBeGreaterThan(200);
  expect(Math.min(...values.slice(held.first, held.last + 1))).toBeGreaterThan(limit);
  expect(Math.max(...values)).toBeLessThan(250);
});
