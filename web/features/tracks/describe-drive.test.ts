import { expect, test } from 'vitest';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { describeDrive, isClockwise } from './describe-drive.ts';

const SQUARE: [number, number][] = [
  [47, 9],
  [47.01, 9],
  [47.01, 9.01],
  [47, 9.01],
];

test('an outline that goes north, then east, is clockwise, and its reverse is not', () => {
  expect(isClockwise(SQUARE)).toBe(true);
  expect(isClockwise(SQUARE.toReversed())).toBe(false);
});

test('a drive is described by its length, and by its direction or its ends', () => {
  const track = { ...KART_TRACK, lengthMeters: 1230, outline: SQUARE };
  expect(describeDrive(track)).toBe('1.230\u00A0km, clockwise');
  const finishLine = KART_TRACK.startFinishLine;
  expect(describeDrive({ ...track, finishLine })).toBe('1.230\u00A0km, from start to finish');
});
