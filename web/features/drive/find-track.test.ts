import { expect, test } from 'vitest';
import { libraryTrack } from '#web/testing/library-track.ts';
import { findTrack } from './find-track.ts';

function keptTrack(id: string, lineLat: number | null) {
  const line = lineLat === null ? null : { a: at(lineLat), b: at(lineLat), bearingDeg: null };
  return { track: libraryTrack(id, { startFinishLine: line }), laps: [], keptAtMs: 0 };
}

function at(lat: number) {
  return { lat, lon: 0 };
}

test('the track at a position is found, of two layouts the one whose line is nearer', () => {
  const tracks = [keptTrack('short', 51.004), keptTrack('long', 51.002), keptTrack('unmarked', null)];
  const found = findTrack(tracks, at(51.0007));
  expect(found?.kept.track.id).toBe('long');
  expect(found?.lineMeters).toBeCloseTo(145, -1);
});

test('away from every track none is found', () => {
  expect(findTrack([keptTrack('short', 51.004)], at(52))).toBeNull();
  expect(findTrack([], at(51))).toBeNull();
});

test('a track without a line is found too', () => {
  expect(findTrack([keptTrack('unmarked', null)], at(51))).toMatchObject({ lineMeters: null });
});
