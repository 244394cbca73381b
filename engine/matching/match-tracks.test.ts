import { expect, test } from 'vitest';
import { LIBRARY, libraryTrack } from '../../tests/library.ts';
import { planeAround, toPosition } from '../geo.ts';
import { buildTrackIndex, matchTracks } from './match-tracks.ts';
import { toLapFile, simulateDrive, type DrivenFix } from '../simulation/drive.ts';
import { fixAt, HERE } from '../testing/fixes.ts';
import { buildTrace } from '../trace/trace.ts';
import type { Track } from '../track.ts';

const INDEX = buildTrackIndex(LIBRARY);

function matchesOf(fixes: DrivenFix[], index = INDEX) {
  return matchTracks(buildTrace(toLapFile(fixes)), index);
}

function namesOf(fixes: DrivenFix[], index = INDEX) {
  return matchesOf(fixes, index).map(({ track }) => track.id);
}

test('a drive on a track of the library is matched to that track first, and surely', () => {
  for (const [seed, track] of LIBRARY.filter((_, index) => index % 4 === 0).entries()) {
    const receiver = { rateHz: seed % 2 === 0 ? 1 : 10, driftMeters: 1, noiseMeters: 0.1 };
    const [best] = matchesOf(simulateDrive(track, { seed, laps: 2, receiver }).fixes);
    expect(best?.track.id).toBe(track.id);
    expect(best?.confidencePct).toBeGreaterThanOrEqual(80);
  }
});

test('layouts of one venue are distinguished', () => {
  for (const layout of ['full', 'north', 'south']) {
    const track = libraryTrack(`autobahn-country-club-${layout}`);
    const [best, next] = matchesOf(simulateDrive(track, { seed: 4, laps: 3 }).fixes);
    expect(best?.track.id).toBe(track.id);
    expect(best?.confidencePct).toBeGreaterThanOrEqual(90);
    expect(next?.confidencePct ?? 0).toBeLessThan(70);
  }
});

test('a layout and its reverse are distinguished', () => {
  const track = libraryTrack('grattan-raceway-full');
  const line = track.startFinishLine;
  if (line === null || track.outline === null) throw new Error('The track has a line and an outline.');
  const reverse: Track = {
    ...track,
    id: 'grattan-raceway-reverse',
    outline: track.outline.toReversed(),
    startFinishLine: { a: line.b, b: line.a, bearingDeg: ((line.bearingDeg ?? 0) + 180) % 360 },
  };
  const index = buildTrackIndex([track, reverse]);
  expect(namesOf(simulateDrive(track, { seed: 1, laps: 2 }).fixes, index)[0]).toBe(track.id);
  expect(namesOf(simulateDrive(track, { seed: 1, laps: 2, isReversed: true }).fixes, index)[0]).toBe(
    reverse.id,
  );
});

test('a wrong or missing direction of the line in the library does no harm', () => {
  const track = libraryTrack('grattan-raceway-full');
  const line = track.startFinishLine;
  if (line === null) throw new Error('The track has a line.');
  const { fixes } = simulateDrive(track, { seed: 2, laps: 2 });
  for (const bearingDeg of [null, ((line.bearingDeg ?? 0) + 180) % 360]) {
    const index = buildTrackIndex([{ ...track, startFinishLine: { ...line, bearingDeg } }]);
    expect(matchesOf(fixes, index)[0]?.confidencePct).toBeGreaterThanOrEqual(90);
  }
});

test('without outlines, the length and the sector lines tell the layout', () => {
  const layouts = ['full', 'north', 'south'].map((layout) => ({
    ...libraryTrack(`autobahn-country-club-${layout}`),
    outline: null,
  }));
  const index = buildTrackIndex(layouts);
  for (const layout of ['full', 'north', 'south']) {
    const id = `autobahn-country-club-${layout}`;
    const [best] = matchesOf(simulateDrive(libraryTrack(id), { seed: 5, laps: 3 }).fixes, index);
    expect(best?.track.id).toBe(id);
  }
});

test('an unfinished lap finds the place, but not surely', () => {
  const track = libraryTrack('grattan-raceway-full');
  const { fixes, trueLaps } = simulateDrive(track, { seed: 2, laps: 1 });
  const [best] = matchesOf(fixes.filter((fix) => fix.timeMs < (trueLaps[0]?.startTimeMs ?? 0) + 88_000));
  expect(best?.track.id).toBe(track.id);
  expect(best?.confidencePct).toBeLessThan(70);
});

test('a road past the track, a flight over it and a bicycle on it suggest nothing', () => {
  const track = libraryTrack('nurburgring-grand-prix');
  const passingBy = Array.from({ length: 1800 }, (_, second) =>
    fixAt(second * 1000, 20 * (second - 900), 40),
  );
  expect(namesOf(passingBy)).toEqual([]);
  const plane = planeAround({ lat: track.centerLat, lon: track.centerLon });
  const flight = Array.from({ length: 600 }, (_, second) => ({
    timeMs: second * 1000,
    ...toPosition(plane, { x: 100 * (second - 300), y: 30 * (second - 300) }),
    speedMetersPerSecond: 104,
  }));
  expect(namesOf(flight)).toEqual([]);
  const { fixes } = simulateDrive(track, {
    seed: 6,
    laps: 2,
    receiver: { rateHz: 1 },
    topSpeedMetersPerSecond: 11,
  });
  expect(namesOf(fixes)).toEqual([]);
  expect(HERE.lat).toBeCloseTo(track.centerLat, 1);
});

test('an empty trace matches nothing', () => {
  expect(namesOf([])).toEqual([]);
});
