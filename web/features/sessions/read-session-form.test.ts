import { expect, test } from 'vitest';
import { asLapId, asSessionId, asTrackId, asUserCarId } from '#contract/testing/ids.ts';
import { findLinesChoice, listChoosableLaps, readSessionForm } from './read-session-form.ts';
import type { OwnSession } from './session-queries.ts';

const lap = { lapTimeMs: 60_000, uncertaintyMs: 5, sectorTimesMs: [], reasons: [] };

const SESSION: OwnSession = {
  id: asSessionId('s'),
  trackId: asTrackId('lydden-hill'),
  userCarId: asUserCarId('mx5'),
  carName: 'MX-5',
  sessionDate: '2026-06-06T14:00:00+01:00',
  tireCompound: 'track-200',
  videoUrl: null,
  linesPrivate: null,
  lapCount: 4,
  bestLapTimeMs: 60_000,
  bestLapId: asLapId('a'),
  refusedLaps: [],
  laps: [
    { ...lap, lapId: asLapId('a'), number: 1, status: 'valid', isLeftOut: false },
    { ...lap, lapId: asLapId('b'), number: 2, status: 'rejected', isLeftOut: true },
    { ...lap, lapId: asLapId('c'), number: 3, status: 'rejected', isLeftOut: false },
    { ...lap, lapId: asLapId('d'), number: 4, status: 'warning', isLeftOut: false },
  ],
};

function formOf(given: Record<string, string>, laps: string[]): FormData {
  const form = new FormData();
  const unchanged = { userCarId: 'mx5', tireCompound: 'track-200', videoUrl: '', lines: 'profile' };
  for (const [name, value] of Object.entries({ ...unchanged, ...given })) form.append(name, value);
  for (const lapId of laps) form.append('laps', lapId);
  return form;
}

test('only laps that count, or would count, can be chosen', () => {
  expect(listChoosableLaps(SESSION).map(({ lapId }) => lapId)).toEqual(['a', 'b', 'd']);
});

test('a form that says what the session is already changes nothing', () => {
  expect(readSessionForm(formOf({}, ['a', 'd']), SESSION)).toEqual({});
});

test('a form names what is other: fields, laps left out, and laps put back', () => {
  const form = formOf(
    { userCarId: 'elise', tireCompound: 'rcomp', videoUrl: ' https://a.example/1 ', lines: 'private' },
    ['b', 'd'],
  );
  expect(readSessionForm(form, SESSION)).toEqual({
    userCarId: 'elise',
    tireCompound: 'rcomp',
    videoUrl: 'https://a.example/1',
    linesPrivate: true,
    laps: [
      { lapId: asLapId('a'), isLeftOut: true },
      { lapId: asLapId('b'), isLeftOut: false },
    ],
  });
});

test('an emptied link removes the video, and what is not chosen stays', () => {
  const session = { ...SESSION, videoUrl: 'https://a.example/1', userCarId: null };
  const form = formOf({ userCarId: '', tireCompound: '' }, ['a', 'd']);
  expect(readSessionForm(form, session)).toEqual({ videoUrl: null });
});

test('the lines of a session are as in the profile, shown or private', () => {
  expect([null, false, true].map((linesPrivate) => findLinesChoice({ linesPrivate }))).toEqual([
    'profile',
    'shown',
    'private',
  ]);
});
