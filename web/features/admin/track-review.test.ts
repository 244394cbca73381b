import { expect, test } from 'vitest';
import type { ParsedTrack } from '#contract/library/schemas.ts';
import { parsedTrack } from '#web/testing/parsed-track.ts';
import {
  editRow,
  findNextProblem,
  isReady,
  removeRowPart,
  listPartProblems,
  reviewTracks,
  rowsAfterImport,
  toImportedTrack,
  type ReviewRow,
} from './track-review.ts';

const spa = parsedTrack();

function review(...tracks: ParsedTrack[]): ReviewRow[] {
  return reviewTracks(tracks, 1);
}

function reviewOne(track: ParsedTrack): ReviewRow {
  const [row] = review(track);
  if (!row) throw new Error('There is no row.');
  return row;
}

test('a track with everything required is ready', () => {
  expect(isReady(reviewOne(spa))).toBe(true);
});

test('name, city or region and country are required, in that order', () => {
  const row = reviewOne({ ...spa, name: ' ', location: null, country: '' });
  expect(row.problems).toEqual({
    name: 'The name is missing.',
    location: 'The city or region is missing.',
    country: 'The country is missing.',
  });
  expect(isReady(row)).toBe(false);
});

test.each([
  ['radiusMeters', 'wide', 'This must be a number.'],
  ['radiusMeters', '1,200', 'This must be a number.'],
  ['radiusMeters', '0x10', 'This must be a number.'],
  ['radiusMeters', '1e999', 'This must be a number.'],
  ['radiusMeters', '0', 'This must be between 10 and 50000.'],
  ['centerLat', '91', 'This must be between -90 and 90.'],
  ['centerLon', '-180.5', 'This must be between -180 and 180.'],
  ['centerLon', '', 'Latitude and longitude go together.'],
] as const)('%s may not be %j', (field, value, sentence) => {
  expect(editRow(reviewOne(spa), field, value).problems).toEqual({ [field]: sentence });
});

test.each([
  ['radiusMeters', ' 850.5 '],
  ['radiusMeters', ''],
  ['centerLat', '-37.8'],
  ['configuration', ''],
] as const)('%s may be %j', (field, value) => {
  expect(isReady(editRow(reviewOne(spa), field, value))).toBe(true);
});

test('what the server says about a field stays until that field is changed', () => {
  const row = reviewOne({ ...spa, radiusMeters: null, problems: { radiusMeters: 'Between 10 and 50000.' } });
  const renamed = editRow(row, 'name', 'Spa-Francorchamps');
  expect(renamed.problems).toEqual({ radiusMeters: 'Between 10 and 50000.' });
  expect(editRow(renamed, 'radiusMeters', '900').problems).toEqual({});
});

test('a new centre takes back that a line was too far from the old one', () => {
  const line = { a: { lat: 50.4, lon: 5.9 }, b: { lat: 50.4, lon: 5.91 }, bearingDeg: null };
  const far = { ...spa, startFinishLine: line, problems: { startFinishLine: 'It is 4 km away.' } };
  expect(isReady(editRow(reviewOne(far), 'centerLat', '50.41'))).toBe(true);
  const unreadable = { ...far, startFinishLine: null };
  expect(isReady(editRow(reviewOne(unreadable), 'centerLat', '50.41'))).toBe(false);
});

test('a part without a field can be left out, and is then not sent', () => {
  const row = reviewOne({ ...spa, sectors: [], problems: { outline: 'Point 3 is no position.' } });
  expect(listPartProblems(row)).toEqual([['outline', 'Point 3 is no position.']]);
  const without = removeRowPart(row, 'outline');
  expect(isReady(without)).toBe(true);
  expect(toImportedTrack(without)).toMatchObject({ name: 'Spa', outline: null, sectors: [] });
});

test('what is sent is trimmed, and what is empty is null', () => {
  const row = editRow(editRow(reviewOne(spa), 'name', '  Spa  '), 'radiusMeters', ' ');
  const { problems: _problems, warnings: _warnings, ...sent } = spa;
  expect(toImportedTrack(row)).toEqual({ ...sent, configuration: null, radiusMeters: null });
});

test('the next problem is the next one in reading order, and after the last the first', () => {
  const rows = review(spa, { ...spa, location: '', country: '' }, spa, { ...spa, name: '' });
  const visited = [];
  let next = findNextProblem(rows, null);
  for (let step = 0; step < 4; step += 1) {
    visited.push(`${next?.rowId} ${next?.field}`);
    next = findNextProblem(rows, next);
  }
  expect(visited).toEqual(['1-1 location', '1-1 country', '1-3 name', '1-1 location']);
});

test('the next problem lies after the field that was left, even where that field is fine', () => {
  const rows = review({ ...spa, name: '' }, spa, { ...spa, country: '' });
  expect(findNextProblem(rows, { rowId: '1-1', field: 'centerLat' })).toEqual({
    rowId: '1-2',
    field: 'country',
  });
});

test('without problems there is no next one', () => {
  expect(findNextProblem(review(spa, spa), null)).toBeNull();
});

test('after an import the refused tracks stay with the reason, and those that were not sent', () => {
  const rows = review(spa, { ...spa, name: '' }, { ...spa, name: 'Zolder' }, { ...spa, name: 'Mettet' });
  const sent = rows.filter(isReady);
  const left = rowsAfterImport(rows, sent, [
    { status: 'success', message: 'Added.' },
    { status: 'error', message: 'The library is full.' },
    { status: 'exists', message: 'It is there.' },
  ]);
  expect(left.map(({ id, refusal }) => [id, refusal])).toEqual([
    ['1-1', null],
    ['1-2', 'The library is full.'],
  ]);
  const [, refused] = left;
  expect(findNextProblem(left, { rowId: '1-1', field: 'name' })).toEqual({ rowId: '1-2', field: 'name' });
  expect(refused && editRow(refused, 'name', 'Heusden-Zolder').refusal).toBeNull();
});

test('ten thousand tracks are searched in one go', () => {
  const rows = review(...Array.from({ length: 10_000 }, () => spa), { ...spa, country: '' });
  expect(findNextProblem(rows, { rowId: '1-0', field: 'name' })).toEqual({
    rowId: '1-10000',
    field: 'country',
  });
});
