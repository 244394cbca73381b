import { expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import type { AdministeredTrack } from './library-queries.ts';
import { readTrackForm } from './read-track-form.ts';

const TRACK: AdministeredTrack = {
  id: asTrackId('lydden-hill'),
  name: 'Lydden Hill',
  location: 'Canterbury',
  configuration: null,
  country: 'United Kingdom',
  status: 'official',
  lengthMeters: 1_600,
  radiusMeters: 900,
  sessionCount: 0,
  lapCount: 0,
  isRetiming: false,
};

function formOf(given: Record<string, string>): FormData {
  const form = new FormData();
  const unchanged = {
    name: 'Lydden Hill',
    location: 'Canterbury',
    configuration: '',
    country: 'United Kingdom',
    status: 'official',
    lengthMeters: '1600',
    radiusMeters: '900',
  };
  for (const [name, value] of Object.entries({ ...unchanged, ...given })) form.append(name, value);
  return form;
}

test('a form that says what the track is already changes nothing', () => {
  expect(readTrackForm(formOf({}), TRACK)).toEqual({});
});

test('only what is other is sent, and an empty field is unknown', () => {
  const given = { name: ' Lydden ', location: '', status: 'community_submitted', lengthMeters: '' };
  expect(readTrackForm(formOf(given), TRACK)).toEqual({
    name: 'Lydden',
    location: null,
    status: 'community_submitted',
    lengthMeters: null,
  });
});

test('what is no number is left to the server to refuse', () => {
  expect(readTrackForm(formOf({ radiusMeters: 'wide' }), TRACK)).toEqual({ radiusMeters: Number.NaN });
});
