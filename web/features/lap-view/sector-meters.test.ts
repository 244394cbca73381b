import { expect, test } from 'vitest';
import { findSectorMeters } from './sector-meters.ts';

const LAP = { meters: [0, 100, 200, 300], elapsedMs: [0, 1_000, 3_000, 4_000] };

test('sector lines lie where the reference lap was after the times of its sectors', () => {
  expect(findSectorMeters(LAP, [500, 1_500, 2_000])).toEqual([50, 150]);
  expect(findSectorMeters(LAP, [4_000])).toEqual([]);
});

test('there are none where a sector was not timed, or its time is not of this lap', () => {
  expect(findSectorMeters(LAP, [500, null, 2_000])).toEqual([]);
  expect(findSectorMeters(LAP, [9_000, 1_000])).toEqual([]);
});
