import { expect, test } from 'vitest';
import {
  cornerTitle,
  describeBraking,
  describeCause,
  describeOffset,
  formatLost,
  stretchTitle,
} from './comparison-messages.ts';

test('a cause is one sentence to the driver, and one by name to others', () => {
  const cause = { kind: 'braking', earlierMeters: 14.2 } as const;
  expect(`${cornerTitle(5, null)}: ${formatLost(213)}. ${describeCause(cause, 'Ana Lima', true)}`).toBe(
    'Turn 5: 0.21 s. You brake 14 m earlier.',
  );
  expect(describeCause(cause, 'Ana Lima', false)).toBe('Ana Lima brakes 14 m earlier.');
  expect(describeCause({ ...cause, earlierMeters: -8 }, 'Ana', true)).toBe('You brake 8 m later.');
  expect(describeCause({ kind: 'end-speed', slowerKmh: 15.7, atMeters: 400 }, 'Ana', true)).toBe(
    'You are 16 km/h slower at the end.',
  );
  expect(describeCause({ kind: 'slowest-speed', slowerKmh: -2, atMeters: 310 }, 'Ana', false)).toBe(
    'Ana is 2 km/h faster at the slowest point.',
  );
});

test('a difference on the way says where it is', () => {
  const cause = { kind: 'middle-speed', slowerKmh: 12, atMeters: 1424.4 } as const;
  expect(describeCause(cause, 'Ana', true)).toBe('You are 12 km/h slower at 1424 m.');
});

test('without a certain difference, or one of less than half a unit, the sentence names none', () => {
  const none = 'No single difference in braking or speed is certain.';
  expect(describeCause(null, 'Ana', true)).toBe(none);
  expect(describeCause({ kind: 'start-speed', slowerKmh: 0.3, atMeters: 200 }, 'Ana', true)).toBe(none);
  expect(describeCause({ kind: 'braking', earlierMeters: 0.4 }, 'Ana', true)).toBe(none);
});

test('stretches are named by the corners that they lead to, and by the line', () => {
  const corners = [
    { number: 1, name: null },
    { number: 2, name: 'Eau Rouge' },
  ];
  const titles = [1, 2, 3].map((number) => stretchTitle({ kind: 'straight', number }, corners));
  expect(titles).toEqual(['Line to Turn 1', 'Straight to Eau Rouge', 'Eau Rouge to line']);
  expect(stretchTitle({ kind: 'corner', number: 2 }, corners)).toBe('Eau Rouge');
  expect(stretchTitle({ kind: 'straight', number: 1 }, [])).toBe('Line to line');
});

test('braking points and receivers are compared in metres', () => {
  const reference = { brakingMeters: 204 };
  const braking = (brakingMeters: number | null, brakingEarlierMeters: number | null) =>
    describeBraking({ brakingMeters, brakingEarlierMeters }, reference);
  expect(braking(190, 14)).toBe('14 m earlier');
  expect(braking(218, -14)).toBe('14 m later');
  expect(braking(202, null)).toBe('alike');
  expect(braking(null, null)).toBe('—');
  expect(describeOffset({ east: 1.2, north: -1 })).toBe('Receivers were 1.6 m apart; corrected.');
  expect(describeOffset({ east: 0, north: 0 })).toBeNull();
});
