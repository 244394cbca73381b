import { expect, test } from 'vitest';
import { libraryTrack } from '#web/testing/library-track.ts';
import { orderTracks, suggestTracks } from './track-list.ts';

test('tracks with an own entry come first, then those with more entries, and equals keep their order', () => {
  const ordered = orderTracks([
    libraryTrack('a', { entryCount: 1 }),
    libraryTrack('b', { entryCount: 9 }),
    libraryTrack('c', { entryCount: 2, hasOwnEntry: true }),
    libraryTrack('d', { entryCount: 1 }),
  ]);
  expect(ordered.map(({ id }) => id)).toEqual(['c', 'b', 'a', 'd']);
});

test('suggestions contain what is typed in the name or the location, in either case', () => {
  const tracks = [
    libraryTrack('Monza', { location: 'Lombardy' }),
    libraryTrack('Spa', { location: 'Stavelot, Liège' }),
  ];
  expect(suggestTracks(tracks, 'MON').map(({ id }) => id)).toEqual(['Monza']);
  expect(suggestTracks(tracks, 'liège').map(({ id }) => id)).toEqual(['Spa']);
  expect(suggestTracks(tracks, ' spa ').map(({ id }) => id)).toEqual(['Spa']);
});

test('accents may be left out, or typed where there are none', () => {
  const tracks = [libraryTrack('Nürburgring', { location: 'Nürburg' }), libraryTrack('Mugello')];
  for (const typed of ['nurb', 'NÜRB', 'nürb']) {
    expect(suggestTracks(tracks, typed).map(({ id }) => id)).toEqual(['Nürburgring']);
  }
  expect(suggestTracks(tracks, 'mügello').map(({ id }) => id)).toEqual(['Mugello']);
});

test('there are at most five suggestions, and none for nothing or spaces', () => {
  const tracks = Array.from({ length: 9 }, (_, index) => libraryTrack(`Track ${index}`));
  expect(suggestTracks(tracks, 'track')).toHaveLength(5);
  expect(suggestTracks(tracks, '')).toEqual([]);
  expect(suggestTracks(tracks, '   ')).toEqual([]);
});
