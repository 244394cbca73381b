import { expect, test } from 'vitest';
import {
  cornerTitle,
  describeBraking,
  describeOffset,
  describeCornerLoss,
  formatLost,
} from './comparison-messages.ts';

const PLACE = {
  cornerNumber: 5,
  lostMs: 213,
  brakingEarlierMeters: 14.2,
  apexSlowerKmh: 5.6,
  exitSlowerKmh: null,
};

test('a place to gain is said in one sentence to the driver, and by name to others', () => {
  expect(
    `${cornerTitle(5, null)}: ${formatLost(PLACE.lostMs)}. ${describeCornerLoss(PLACE, 'Ana Lima', true)}`,
  ).toBe('Turn 5: 0.21 s. You brake 14 m earlier and are 6 km/h slower at the slowest point.');
  expect(describeCornerLoss(PLACE, 'Ana Lima', false)).toBe(
    'Ana Lima brakes 14 m earlier and is 6 km/h slower at the slowest point.',
  );
  expect(cornerTitle(5, 'Eau Rouge')).toBe('Eau Rouge');
});

test('only differences that are known are said, in their direction', () => {
  expect(describeCornerLoss({ ...PLACE, brakingEarlierMeters: -8, apexSlowerKmh: null }, 'Ana', true)).toBe(
    'You brake 8 m later.',
  );
  expect(
    describeCornerLoss(
      { ...PLACE, brakingEarlierMeters: null, apexSlowerKmh: -2, exitSlowerKmh: 4 },
      'Ana',
      true,
    ),
  ).toBe('You are 2 km/h faster at the slowest point and 4 km/h slower at the exit.');
  expect(describeCornerLoss({ ...PLACE, brakingEarlierMeters: null, apexSlowerKmh: 0.3 }, 'Ana', true)).toBe(
    'The time goes over the whole stretch: no single difference in braking or speed is certain.',
  );
});

test('braking points and receivers are compared in metres', () => {
  expect(describeBraking(190, 204)).toBe('14 m earlier');
  expect(describeBraking(204, 190)).toBe('14 m later');
  expect(describeBraking(190, 190.3)).toBe('the same');
  expect(describeBraking(null, 190)).toBe('—');
  expect(describeOffset({ east: 1.2, north: -1 })).toBe('Receivers were 1.6 m apart; corrected.');
  expect(describeOffset({ east: 0, north: 0 })).toBeNull();
});
