import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { simulateDrive } from '../simulation/drive.ts';
import { timedLap } from '../testing/simulated-pairs.ts';
import type { Track } from '../track.ts';
import { lineOfLap, lineOfLaps } from './build-reference-line.ts';
import { findCorners } from './corners.ts';
import { findCornersOfTrack } from './corners-of-track.ts';
import { toPosition, distanceMeters, type Position } from '../geo.ts';
import { pointAt, type ReferenceLine } from './reference-line.ts';

const RECEIVER = { rateHz: 10, noiseMeters: 0.03, driftMeters: 0.5, speedNoiseMetersPerSecond: 0.05 };

/** Returns the lines of four drivers, each alone, and that of all of them. */
function driveLines(track: Track): ReferenceLine[] {
  const laps = [1, 2, 3, 4].flatMap((seed) => {
    const drive = simulateDrive(track, { seed, styleSeed: seed, laps: 2, receiver: RECEIVER });
    return timedLap(track, { drive, lap: 1 }) ?? [];
  });
  return [...laps.map(lineOfLap), lineOfLaps(laps)].filter((line) => line !== null);
}

function apexesOn(line: ReferenceLine, track: Track): Position[] {
  return findCornersOfTrack(line, track).map(({ apexMeters }) =>
    toPosition(line.plane, pointAt(line, line.startMeters + apexMeters)),
  );
}

/** Racing lines leave the outline by so much in a corner, and pass its apex a little before or after. */
const APART_MAX_METERS = 20;

test('a corner has the same number and the same place with every line', () => {
  for (const [id, count] of [
    ['nurburgring-grand-prix', 15],
    ['weathertech-raceway-laguna-seca-full', 11],
    ['grattan-raceway-full', 13],
  ] as const) {
    const track = libraryTrack(id);
    const lines = driveLines(track);
    expect(lines).toHaveLength(5);
    const [first = [], ...others] = lines.map((line) => apexesOn(line, track));
    expect(first).toHaveLength(count);
    for (const apexes of others) {
      expect(apexes).toHaveLength(count);
      apexes.forEach((apex, index) =>
        expect(distanceMeters(apex, first[index] ?? apex), id).toBeLessThan(APART_MAX_METERS),
      );
    }
    // The lines by themselves would number them otherwise.
    expect(new Set(lines.map((line) => findCorners(line).length))).not.toEqual(new Set([count]));
  }
});

test('corners follow each other on the line and lie within the lap', () => {
  const track = libraryTrack('circuit-de-monaco-street-circuit');
  const [line] = driveLines(track);
  if (line === undefined) throw new Error('The laps have a line.');
  const corners = findCornersOfTrack(line, track);
  expect(corners.map(({ number }) => number)).toEqual(corners.map((_, index) => index + 1));
  const places = corners.flatMap(({ startMeters, apexMeters, endMeters }) => [
    startMeters,
    apexMeters,
    endMeters,
  ]);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  expect(places.at(-1)).toBeLessThanOrEqual(line.endMeters - line.startMeters);
});

test('a track without an outline, or with that of another layout, has the corners of the line', () => {
  const track = libraryTrack('grattan-raceway-full');
  const [line] = driveLines(track);
  if (line === undefined) throw new Error('The laps have a line.');
  const own = findCorners(line);
  expect(findCornersOfTrack(line, null)).toEqual(own);
  expect(findCornersOfTrack(line, { ...track, outline: null })).toEqual(own);
  expect(findCornersOfTrack(line, { ...track, outline: track.outline?.toReversed() ?? null })).toEqual(own);
  const elsewhere = libraryTrack('waterford-hills-full').outline;
  expect(findCornersOfTrack(line, { ...track, outline: elsewhere })).toEqual(own);
});
