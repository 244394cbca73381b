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
  expect(readTrackForm(formOf({}), TRACK)).toEqual({ change: {} });
});

test('only what is other is sent, and an empty field is unknown', () => {
  const given = { name: ' Lydden ', location: '', status: 'community_submitted', lengthMeters: '' };
  expect(readTrackForm(formOf(given), TRACK)).toEqual({
    change: { name: 'Lydden', location: null, status: 'community_submitted', lengthMeters: null },
  });
});

test('a decimal comma is a decimal point', () => {
  const given = { lengthMeters: '1610,5', radiusMeters: '850,5' };
  expect(readTrackForm(formOf(given), TRACK)).toEqual({
    change: { lengthMeters: 1_610.5, radiusMeters: 850.5 },
  });
});

test('what is no number is refused at its field, and changes nothing', () => {
  const problem = 'Type a number, such as 5278.4.';
  const given = { name: 'Lydden', lengthMeters: '5278 m', radiusMeters: 'wide' };
  expect(readTrackForm(formOf(given), TRACK)).toEqual({
    problems: { lengthMeters: problem, radiusMeters: problem },
  });
});

test('an empty radius is left to the server to refuse', () => {
  expect(readTrackForm(formOf({ radiusMeters: '' }), TRACK)).toEqual({ change: { radiusMeters: 0 } });
});
