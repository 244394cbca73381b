import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import type { TraceChannel } from '#contract/lap-view/channels.ts';
import { channelAtStations, decodeChannel, describeChannel, findUnknown } from './lap-channels.ts';

const THROTTLE: TraceChannel = { name: 'throttle', unit: '%', step: 1, steps: [100, 0, -40, null, null, 20] };
const GEAR: TraceChannel = { name: 'gear', unit: '', step: 1, steps: [2, 0, 1, 0, 0, 1] };

function trace(...columns: TraceChannel[]) {
  return { meters: [0, 10, 20, 30, 40, 50], channels: { version: 1 as const, columns } };
}

test('steps count from the last known value, and unknown ones stay unknown', () => {
  expect(decodeChannel(THROTTLE)).toEqual([100, 100, 60, Number.NaN, Number.NaN, 80]);
});

test('accelerations come in m/s² and are shown in g', () => {
  const braking: TraceChannel = {
    name: 'longitudinalAcceleration',
    unit: 'm/s²',
    step: 0.5,
    steps: [-20, 10],
  };
  const [first = 0, second = 0] = decodeChannel(braking);
  expect(first).toBeCloseTo(-1.02, 2);
  expect(second).toBeCloseTo(-0.51, 2);
});

test('a channel lies between the entries of its trace, and a gear is the one before', () => {
  expect(channelAtStations(trace(THROTTLE), 'throttle', [0, 15, 25, 45, 50])).toEqual([
    100,
    80,
    Number.NaN,
    Number.NaN,
    80,
  ]);
  expect(channelAtStations(trace(GEAR), 'gear', [0, 15, 20, 49, 50])).toEqual([2, 2, 3, 3, 4]);
  expect(channelAtStations(trace(GEAR), 'throttle', [0, 50])).toBeNull();
});

test('a lap that is measured along itself is brought to the length of the stations', () => {
  expect(channelAtStations(trace(THROTTLE), 'throttle', [0, 30, 100])).toEqual([100, 80, 80]);
});

test('the line stops where a channel is unknown', () => {
  const { NaN: unknown } = Number;
  const stations = [0, 5, 10, 15, 20];
  expect(findUnknown([1, 2, 3, 4, 5], stations)).toEqual([]);
  expect(findUnknown([unknown, 2, unknown, unknown, 5], stations)).toMatchObject([
    { startMeters: 0, endMeters: 5 },
    { startMeters: 5, endMeters: 20 },
  ]);
  expect(findUnknown([1, 2, 3, unknown, unknown], stations)).toMatchObject([
    { startMeters: 10, endMeters: 20 },
  ]);
});

test('the readout has a figure for every lap, and a dash for one that is unknown', () => {
  const laps = [
    { lapId: asLapId('a'), values: [87.4, -3], holes: [] },
    { lapId: asLapId('b'), values: [Number.NaN, 10], holes: [] },
  ];
  expect(describeChannel('throttle', laps, 0)).toBe('87 · — %');
  expect(describeChannel('steering', laps, 1)).toBe('−3 · 10 °');
});
