import { expect, test } from 'vitest';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { libraryTrack } from '#web/testing/library-track.ts';
import { suggestNames } from './suggest-names.ts';

const ORIGIN = {
  set: 'open-racetrack-db',
  title: 'Open Racetrack Database',
  sourceUrl: 'https://example.com/tracks',
  licence: 'ODbL 1.0',
  attribution: '© OpenStreetMap contributors',
};
const DRIVEN = { ...kartTrackAt({ lat: 45.046, lon: 12.15 }), lengthMeters: 1230 };
const NOTHING = { tracks: [], courses: [], country: 'Italy', course: null };

function knownTrack(away: { lat: number }) {
  return libraryTrack('adria', {
    name: 'Adria International',
    location: 'Adria',
    country: 'Italy',
    centerLat: DRIVEN.centerLat + away.lat,
    centerLon: DRIVEN.centerLon,
  });
}

test('a track far from all others is named by its country and length until somebody names it', () => {
  expect(suggestNames(DRIVEN, NOTHING)).toEqual({
    name: 'Track in Italy, 1.230 km',
    configuration: '',
    location: '45.046° N, 12.150° E',
    country: 'Italy',
    source: 'The place is the position of your laps.',
    isUnnamed: true,
  });
  expect(suggestNames(DRIVEN, { ...NOTHING, country: null }).name).toBe('Unnamed track, 1.230 km');
});

test('another layout of a known venue has its names, and its length as the name of the layout', () => {
  expect(suggestNames(DRIVEN, { ...NOTHING, tracks: [knownTrack({ lat: 0.005 })] })).toMatchObject({
    name: 'Adria International',
    configuration: '1.230 km',
    location: 'Adria',
    country: 'Italy',
    source: 'Names from Adria International, which is here. The layout is named after its length.',
  });
});

test('a track some kilometres from a known one is named after the place of the nearest', () => {
  const tracks = [knownTrack({ lat: 0.1 }), knownTrack({ lat: 0.05 })];
  expect(suggestNames(DRIVEN, { ...NOTHING, tracks })).toMatchObject({
    name: 'Track near Adria, 1.230 km',
    location: 'Adria',
    source: 'Place from Adria International, 6 km away.',
    isUnnamed: true,
  });
});

test('a course gives its names, and a known track what it lacks', () => {
  const course = {
    name: 'Adria Karting Raceway',
    configuration: null,
    location: null,
    country: null,
    origin: ORIGIN,
  };
  expect(suggestNames(DRIVEN, { ...NOTHING, tracks: [knownTrack({ lat: 0 })], course })).toEqual({
    name: 'Adria Karting Raceway',
    configuration: '',
    location: 'Adria',
    country: 'Italy',
    source: 'Name from Open Racetrack Database.',
  });
  expect(suggestNames(DRIVEN, { ...NOTHING, course })).toMatchObject({ location: '', country: 'Italy' });
});

test('a course nearby gives the names of the venue, with the attribution of its set', () => {
  const near = { name: 'Adria Karting Raceway', location: null, country: 'Italy', origin: ORIGIN };
  const courses = [{ ...near, centerLat: DRIVEN.centerLat + 0.005, centerLon: DRIVEN.centerLon }];
  expect(suggestNames(DRIVEN, { ...NOTHING, courses })).toEqual({
    name: 'Adria Karting Raceway',
    configuration: '1.230 km',
    location: '45.046° N, 12.150° E',
    country: 'Italy',
    source:
      'Names from Adria Karting Raceway (Open Racetrack Database, © OpenStreetMap contributors), which is here. The layout is named after its length.',
  });
});
