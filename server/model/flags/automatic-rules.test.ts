import { expect, test } from 'vitest';
import { asCarModelId } from '#contract/testing/ids.ts';
import { type CheckedLap, type ComparedLap, listDoubts } from './automatic-rules.ts';

const EXTREMES = {
  topSpeedMetersPerSecond: 50,
  lateralMetersPerSecondSquared: 11,
  brakingMetersPerSecondSquared: 10,
  gainedWattsPerKilogram: 70,
};
const LAP: CheckedLap = {
  lapTimeMs: 100_000,
  tireCompound: 'street-300',
  carModelId: asCarModelId('mx-5'),
  modelKey: 'mazda-mx-5-na-1-6',
  raceClass: 'Roadster',
  extremes: EXTREMES,
  device: 'gpx at 5 Hz',
  elsewhere: null,
  missesOutline: false,
};
const other = (given: Partial<ComparedLap> = {}): ComparedLap => ({ ...LAP, ...given });

function doubt(
  given: Partial<CheckedLap>,
  known: Partial<{ others: ComparedLap[]; own: ComparedLap[]; ownDevices: string[] }> = {},
): string[] {
  const found = listDoubts({ ...LAP, ...given }, { others: [], own: [], ownDevices: [], ...known });
  return found.map(({ reason, sentence }) => `${reason}: ${sentence}`);
}

test('an ordinary lap is not doubted, alone and among others, nor is one of which little is known', () => {
  expect(doubt({})).toEqual([]);
  expect(doubt({}, { others: [other(), other({ lapTimeMs: 108_000 })], own: [other()] })).toEqual([]);
  const unknown = { tireCompound: null, carModelId: null, modelKey: null, raceClass: null, extremes: null };
  expect(doubt(unknown, { others: [other(), other(), other()] })).toEqual([]);
});

test('tyres, engine and car have limits', () => {
  expect(doubt({ extremes: { ...EXTREMES, brakingMetersPerSecondSquared: 16 } })).toEqual([
    'acceleration: Brakes with 1.63 g for a second; these tires on such a car hold 1.45 g at most.',
  ]);
  expect(doubt({ extremes: { ...EXTREMES, gainedWattsPerKilogram: 150 } })).toEqual([
    'power: Gains speed with 150 W/kg for three seconds; this car has 125 W/kg at most.',
  ]);
  expect(doubt({ extremes: { ...EXTREMES, topSpeedMetersPerSecond: 65 } })).toEqual([
    'top_speed: Drives 234 km/h for a second; this car reaches 211 km/h at most.',
  ]);
  // The limit is never shown as what was found.
  const topSpeedMetersPerSecond = 211.4 / 3.6;
  expect(doubt({ extremes: { ...EXTREMES, topSpeedMetersPerSecond } })[0]).toMatch(
    /^top_speed: Drives 211\.4\d* km\/h for a second; this car reaches 21[01]\.\d+ km\/h at most\.$/,
  );
  const supercar = { modelKey: 'mclaren-720s', raceClass: 'Supercar' };
  expect(
    doubt({
      ...supercar,
      extremes: { ...EXTREMES, gainedWattsPerKilogram: 150, topSpeedMetersPerSecond: 85 },
    }),
  ).toEqual([]);
});

test('cornering beyond the tyres is doubted, but not where a banked corner holds others as well', () => {
  const quick = { extremes: { ...EXTREMES, lateralMetersPerSecondSquared: 20 } };
  expect(doubt(quick)).toEqual([]);
  const flat = [other(), other(), other()];
  expect(doubt(quick, { others: flat })).toEqual([
    'acceleration: Corners with 2.04 g for a second; these tires on such a car hold 1.45 g at most, and others here reach 1.12 g.',
  ]);
  expect(doubt(quick, { others: flat.map((lap) => ({ ...lap, ...quick })) })).toEqual([]);
});

test('a lap far ahead of others in the same car is doubted, tyres considered', () => {
  const others = [other({ lapTimeMs: 116_000 })];
  expect(doubt({}, { others })).toEqual([
    'same_car: 13.8 % quicker than the only other lap in this car model (1:56.000), tires considered.',
  ]);
  expect(doubt({ tireCompound: 'full-slick' }, { others })).toEqual([]);
  expect(doubt({}, { others: [...others, other({ lapTimeMs: 105_000 })] })).toEqual([]);
});

test('a jump beyond the driver and the class is doubted; catching up with the class is not', () => {
  const own = [other({ lapTimeMs: 112_000 }), other({ lapTimeMs: 115_000 })];
  const ofClass = (lapTimeMs: number) =>
    [0, 1, 2].map((index) => other({ carModelId: asCarModelId(`other-${index}`), lapTimeMs }));
  expect(doubt({}, { own, others: ofClass(104_000) })).toEqual([
    'jump: 10.7 % quicker than the driver in 2 sessions before, and 3.8 % quicker than the class usually is, tires considered.',
  ]);
  expect(doubt({}, { own, others: ofClass(100_000) })).toEqual([]);
  expect(doubt({}, { own: own.slice(1), others: ofClass(104_000) })).toEqual([]);
});

test('a record is doubted where it leaves its class far behind', () => {
  const others = [0, 1, 2, 3].map((index) =>
    other({ carModelId: asCarModelId(`other-${index}`), lapTimeMs: 107_000 + index }),
  );
  expect(doubt({}, { others })).toEqual([
    'record: A record by 7.000 s, and 6.5 % quicker than the best of 4 other laps of its class, tires considered.',
  ]);
  expect(
    doubt(
      {},
      { others: [...others, other({ carModelId: asCarModelId('x'), raceClass: 'GT', lapTimeMs: 90_000 })] },
    ),
  ).toEqual([]);
});

test('another device and a quicker lap at once, and a lap while its driver drove elsewhere, are doubted', () => {
  const ownDevices = Array.from({ length: 4 }, () => 'vbo at 10 Hz');
  expect(doubt({}, { own: [other({ lapTimeMs: 105_000 })], ownDevices })).toEqual([
    'device: Recorded with gpx at 5 Hz; all 4 sessions before with vbo at 10 Hz. And 4.8 % quicker than the driver was.',
  ]);
  expect(doubt({}, { own: [other({ lapTimeMs: 101_000 })], ownDevices })).toEqual([]);
  expect(doubt({ elsewhere: 'Spa' })).toEqual([
    'elsewhere: By another lap file, its driver drove at Spa at that time.',
  ]);
});

test('a lap that ranks but leaves out a part of the outline is doubted', () => {
  expect(doubt({ missesOutline: true })).toEqual([
    "layout: Leaves out at least 100 m of the track's outline in one stretch: a shorter layout, a cut corner, or a wrong outline.",
  ]);
});
