import { expect, test } from 'vitest';
import { channelsAtTimes } from './channels-at-times.ts';

const column = (...values: number[]) => Float64Array.from(values);

const fixes = {
  length: 4,
  timesMs: column(1000, 1100, 1200, 1300),
  lats: column(50, 50, 50, 50),
  lons: column(6, 6, 6, 6),
  speedsMetersPerSecond: column(20, 20, 20, 20),
  channels: { throttle: column(0, 50, Number.NaN, 100), gear: column(2, 3, 3, 4) },
};

test('between two fixes a channel lies on the line between them, and a gear is the one before', () => {
  expect(channelsAtTimes(fixes, column(1000, 1050, 1100, 1299))).toEqual({
    throttle: column(0, 25, 50, Number.NaN),
    gear: column(2, 2, 3, 3),
  });
});

test('beyond the ends a channel keeps its last value, and what is unknown stays unknown', () => {
  expect(channelsAtTimes(fixes, column(900, 1150, 1300, 1400))).toEqual({
    throttle: column(0, Number.NaN, 100, 100),
    gear: column(2, 3, 4, 4),
  });
});

test('fixes without channels have none at any time', () => {
  const { channels: _, ...plain } = fixes;
  expect(channelsAtTimes(plain, column(1000))).toEqual({});
});
