import { expect, test } from 'vitest';
import { libraryTrack } from '#web/testing/library-track.ts';
import { estimatePosition, orderByDistance } from './near-tracks.ts';

const tracks = [
  libraryTrack('Suzuka', { centerLat: 34.8, centerLon: 136.5, timeZone: 'Asia/Tokyo' }),
  libraryTrack('Laguna Seca', { centerLat: 36.6, centerLon: -121.8, timeZone: 'America/Los_Angeles' }),
  libraryTrack('Spa', { centerLat: 50.4, centerLon: 6, timeZone: 'Europe/Brussels' }),
  libraryTrack('Monza', { centerLat: 45.6, centerLon: 9.3, timeZone: 'Europe/Rome' }),
];

test('a visitor is amid the tracks of the time zone, else amid those of the continent', () => {
  expect(estimatePosition(tracks, 'Europe/Rome')).toEqual({ lat: 45.6, lon: 9.3 });
  expect(estimatePosition(tracks, 'Europe/Lisbon')).toEqual({ lat: 48, lon: 7.65 });
  expect(estimatePosition(tracks, 'Antarctica/Troll')).toBeNull();
});

function names(lat: number, lon: number): string[] {
  return orderByDistance(tracks, { lat, lon }).map(({ id }) => id);
}

test('the nearest track comes first, across the date line too', () => {
  expect(names(50, 6)).toEqual(['Spa', 'Monza', 'Laguna Seca', 'Suzuka']);
  expect(names(40, -170)).toEqual(['Laguna Seca', 'Suzuka', 'Spa', 'Monza']);
});
