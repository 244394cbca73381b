import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { toPosition } from '../geo.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import { lineOfLap } from './build-reference-line.ts';
import { findCorners, type Corner } from './corners.ts';
import { nameCorners } from './name-corners.ts';
import { pointAt, type ReferenceLine } from './reference-line.ts';

function lineOfDrive(seed: number): ReferenceLine {
  const track = libraryTrack('grattan-raceway-full');
  const file = openFixes(toLapFile(simulateDrive(track, { seed, laps: 1, styleSeed: seed }).fixes));
  const [lap] = timeLaps(file, track).laps;
  const line = lap === undefined ? null : lineOfLap({ ...file, lap });
  if (line === null) throw new Error('The drive has a line.');
  return line;
}

function namesAtApexes(line: ReferenceLine, corners: readonly Corner[]) {
  return corners.map(({ number, apexMeters }) => ({
    ...toPosition(line.plane, pointAt(line, line.startMeters + apexMeters)),
    name: `Corner ${number}`,
  }));
}

test('a name stays with its corner on the line of another lap', () => {
  const [line, other] = [lineOfDrive(1), lineOfDrive(2)];
  const corners = findCorners(line);
  const named = nameCorners(findCorners(other), other, namesAtApexes(line, corners));
  expect(named.length).toBeGreaterThan(5);
  const moved = named.filter(({ name, apexMeters }) => {
    const before = corners.find(({ number }) => `Corner ${number}` === name);
    return before !== undefined && Math.abs(before.apexMeters - apexMeters) > 100;
  });
  expect(moved).toEqual([]);
  expect(named.filter(({ name }) => name !== null).length).toBeGreaterThanOrEqual(corners.length - 1);
});

test('corners count on without a name, and a name far from every corner is not shown', () => {
  const line = lineOfDrive(1);
  const corners = findCorners(line);
  const [first] = namesAtApexes(line, corners);
  if (first === undefined) throw new Error('There are corners.');
  const elsewhere = { ...first, lat: first.lat + 1, name: 'Elsewhere' };
  const named = nameCorners(corners, line, [first, elsewhere]);
  expect(named.map(({ name }) => name)).toEqual(['Corner 1', ...corners.slice(1).map(() => null)]);
});

test('of two names at one corner the nearer one is shown', () => {
  const line = lineOfDrive(1);
  const corners = findCorners(line);
  const [first] = namesAtApexes(line, corners);
  if (first === undefined) throw new Error('There are corners.');
  const farther = { ...first, lat: first.lat + 1e-4, name: 'Farther' };
  for (const names of [
    [first, farther],
    [farther, first],
  ])
    expect(nameCorners(corners, line, names)[0]?.name).toBe('Corner 1');
});
