import { expect, test } from 'vitest';
import type { Channels } from '../channels.ts';
import type { FixColumns } from '../fix-columns.ts';
import { seededRandom } from '../simulation/random.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { openFixes } from '../time-lap-file.ts';
import { deriveAccelerations } from './accelerations.ts';
import { withOrientedAccelerations } from './oriented-accelerations.ts';

const { fixes } = openFixes(
  toLapFile(simulateDrive(KART_TRACK, { seed: 3, laps: 3, receiver: { rateHz: 10 } }).fixes),
).trace;
const truth = deriveAccelerations(fixes);
const random = seededRandom(8);
const sensor = (values: Float64Array) => values.map((value) => value + random.normal());
const [along, across] = [sensor(truth.longitudinal), sensor(truth.lateral)];
const negative = (values: Float64Array) => values.map((value) => -value);

function oriented(channels: Channels): Channels {
  return withOrientedAccelerations({ ...fixes, channels }).channels ?? {};
}

test.each([
  ['as the engine does', along, across],
  ['with other signs', negative(along), negative(across)],
  ['with X across the car', negative(across), along],
])('accelerations of a logger that measures %s come out alike', (_, x, y) => {
  expect(oriented({ longitudinalAcceleration: x, lateralAcceleration: y })).toEqual({
    longitudinalAcceleration: along,
    lateralAcceleration: across,
  });
});

test('other channels stay as they are', () => {
  const rpm = fixes.timesMs.map((_, index) => 5000 + index);
  expect(oriented({ rpm, lateralAcceleration: negative(across) })).toEqual({
    rpm,
    lateralAcceleration: across,
  });
  expect(oriented({ rpm })).toEqual({ rpm });
});

test('a sensor that does not agree with the positions is left out: a loose phone, or another unit', () => {
  const loose = fixes.timesMs.map(() => 3 * random.normal());
  const inTenths = along.map((value) => value / 10);
  expect(oriented({ longitudinalAcceleration: loose, lateralAcceleration: across })).toEqual({
    lateralAcceleration: across,
  });
  expect(oriented({ longitudinalAcceleration: inTenths, lateralAcceleration: across })).toEqual({
    lateralAcceleration: across,
  });
});

test('without speeds of the receiver, those between the positions do', () => {
  const silent: FixColumns = {
    ...fixes,
    speedsMetersPerSecond: fixes.speedsMetersPerSecond.map(() => Number.NaN),
    channels: { lateralAcceleration: negative(across) },
  };
  expect(withOrientedAccelerations(silent).channels).toEqual({ lateralAcceleration: across });
});
