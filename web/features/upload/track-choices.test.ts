import { asTrackId } from '#contract/testing/ids.ts';
import { expect, test } from 'vitest';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { libraryTrack } from '#web/testing/library-track.ts';
import { describeTrack, listSuggestedTracks, searchTracks } from './track-choices.ts';

const indy = libraryTrack('indy', { name: 'Brands Hatch', configuration: 'Indy', country: 'United Kingdom' });
const full = libraryTrack('gp', {
  name: 'Brands Hatch',
  configuration: 'GP',
  location: 'Kent',
  lengthMeters: 3908,
});
const assen = libraryTrack('assen', { name: 'Assen', country: 'Netherlands' });
const tracks = [indy, full, assen];

const idsOf = (choices: { track: ListedTrack }[]) => choices.map((choice) => choice.track.id);

test('suggested tracks keep the order of the match', () => {
  const choices = listSuggestedTracks(tracks, [
    { trackId: asTrackId('gp'), confidencePct: 96 },
    { trackId: asTrackId('indy'), confidencePct: 40 },
  ]);
  expect(choices.map((choice) => [choice.track.id, choice.confidencePct])).toEqual([
    ['gp', 96],
    ['indy', 40],
  ]);
});

test('a suggestion of an unknown track is left out', () => {
  expect(listSuggestedTracks(tracks, [{ trackId: asTrackId('gone'), confidencePct: 96 }])).toEqual([]);
});

test('the search finds every word in name, configuration, location or country', () => {
  expect(idsOf(searchTracks(tracks, 'brands indy'))).toEqual(['indy']);
  expect(idsOf(searchTracks(tracks, 'KENT'))).toEqual(['gp']);
  expect(idsOf(searchTracks(tracks, 'nether'))).toEqual(['assen']);
  expect(idsOf(searchTracks(tracks, 'brands monza'))).toEqual([]);
});

test('where the drive was, the nearest tracks come first, with their distance', () => {
  const far = libraryTrack('far', { name: 'Aarhus', centerLat: 56, centerLon: 10 });
  const near = libraryTrack('near', { name: 'Zandvoort', centerLat: 52.4, centerLon: 4.5 });
  const choices = searchTracks([far, near], '', { lat: 52.3, lon: 4.5 });
  expect(choices.map(({ track, awayKm }) => [track.id, awayKm])).toEqual([
    ['near', 11],
    ['far', 547],
  ]);
});

test('without a search all tracks are listed by name', () => {
  expect(idsOf(searchTracks(tracks, ' '))).toEqual(['assen', 'indy', 'gp']);
});

test('a track is described by what is known of it, its length in km', () => {
  expect(describeTrack(full)).toEqual(['GP', 'Kent', '3.908 km']);
  expect(describeTrack(assen)).toEqual(['Netherlands']);
});
