import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import type { TraceChannel } from '#contract/lap-view/channels.ts';
import { METERS_PER_DEGREE } from '#engine/geo.ts';
import {
  channelAtStations,
  decodeChannel,
  describeChannel,
  findUnknown,
  hasChannel,
  isRecorded,
} from './lap-channels.ts';

const THROTTLE: TraceChannel = { name: 'throttle', unit: '%', step: 1, steps: [100, 0, -40, null, null, 20] };
const GEAR: TraceChannel = { name: 'gear', unit: '', step: 1, steps: [2, 0, 1, 0, 0, 1] };

function trace(...columns: TraceChannel[]) {
  const still = { timesMs: [], latSteps: [], lonSteps: [], speedsKmh: [] };
  return { ...still, meters: [0, 10, 20, 30, 40, 50], channels: { version: 1 as const, columns } };
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
    { lapId: asLapId('a'), values: [87.4, -3], holes: [], isDerived: false },
    { lapId: asLapId('b'), values: [Number.NaN, 10], holes: [], isDerived: false },
  ];
  expect(describeChannel('throttle', laps, 0)).toBe('87 · — %');
  expect(describeChannel('steering', laps, 1)).toBe('−3 · 10 °');
});

/** Writes coordinates in metres from the equator as a trace does. */
function toSteps(coordinates: readonly number[]): number[] {
  const units = coordinates.map((coordinate) => Math.round((coordinate / METERS_PER_DEGREE) * 1e7));
  return units.map((unit, index) => unit - (units[index - 1] ?? 0));
}

test('accelerations follow from the positions of a lap whose logger did not record them', () => {
  // A right-hand circle of 100 m radius at the equator, at 20 m/s and braking by 2 m/s².
  const seconds = Array.from({ length: 51 }, (_, index) => index / 10);
  const meters = seconds.map((time) => 20 * time - time ** 2);
  const driven = {
    timesMs: seconds.map((time) => 1000 * time),
    meters,
    latSteps: toSteps(meters.map((along) => 100 * Math.sin(along / 100))),
    lonSteps: toSteps(meters.map((along) => 100 * (1 - Math.cos(along / 100)))),
    speedsKmh: seconds.map((time) => 3.6 * (20 - 2 * time)),
    channels: { version: 1 as const, columns: [] },
  };
  const stations = [0, meters[25] ?? 0, meters.at(-1) ?? 0];
  const along = channelAtStations(driven, 'longitudinalAcceleration', stations)?.[1];
  const across = channelAtStations(driven, 'lateralAcceleration', stations)?.[1];
  expect(along).toBeCloseTo(-2 / 9.80665, 2);
  expect(across).toBeCloseTo(15 ** 2 / 100 / 9.80665, 1);
  expect(channelAtStations(driven, 'throttle', stations)).toBeNull();
  expect(hasChannel(driven, 'lateralAcceleration')).toBe(true);
  expect(isRecorded(driven, 'lateralAcceleration')).toBe(false);
});
