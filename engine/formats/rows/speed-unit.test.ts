import { expect, test } from 'vitest';
import { FixRecorder, type FixColumns } from '../../fix-columns.ts';
import { findSpeedUnit, metersPerSecondIn, withSpeedUnit } from './speed-unit.ts';

type Driving = { rateHz: number; holdRows?: number; speedFactor: number; metersPerSecond?: number };

/** Drives north in a straight line; `holdRows` repeats every position, a logger multiplies its speeds with `speedFactor`. */
function straight({ rateHz, holdRows = 1, speedFactor, metersPerSecond = 30 }: Driving): FixColumns {
  const recorder = new FixRecorder();
  for (let row = 0; row < 600; row++) {
    const seconds = row / rateHz;
    const heldSeconds = (row - (row % holdRows)) / rateHz;
    recorder.add(
      1000 * seconds,
      48 + (heldSeconds * metersPerSecond) / 111_195,
      11,
      metersPerSecond * speedFactor,
    );
  }
  return recorder.finish();
}

test.each([
  ['m/s', 1],
  ['km/h', 3.6],
  ['mph', 2.23694],
])('speeds in %s are recognised by the way between the positions', (unit, speedFactor) => {
  for (const rateHz of [1, 10, 25]) {
    const found = findSpeedUnit(straight({ rateHz, speedFactor }), null);
    expect(found).toBeCloseTo(metersPerSecondIn(unit) ?? 0, 5);
  }
});

test('rows that repeat a position do not mislead', () => {
  expect(findSpeedUnit(straight({ rateHz: 20, holdRows: 20, speedFactor: 3.6 }), null)).toBeCloseTo(
    1 / 3.6,
    6,
  );
});

test('stamps of whole seconds on faster data do not mislead', () => {
  const fixes = straight({ rateHz: 5, speedFactor: 1 });
  const timesMs = fixes.timesMs.map((timeMs) => Math.floor(timeMs / 1000) * 1000);
  expect(findSpeedUnit({ ...fixes, timesMs }, null)).toBe(1);
});

test('speeds that fit no unit are forgotten', () => {
  const fixes = straight({ rateHz: 10, speedFactor: 0.1 });
  expect(findSpeedUnit(fixes, null)).toBeNull();
  expect(withSpeedUnit(fixes, null).speedsMetersPerSecond.every(Number.isNaN)).toBe(true);
});

test('a wrong label does not win against the positions', () => {
  expect(findSpeedUnit(straight({ rateHz: 10, speedFactor: 3.6 }), 1)).toBeCloseTo(1 / 3.6, 6);
});

test('a label that is no everyday unit counts where the positions agree', () => {
  const knot = metersPerSecondIn('knots') ?? 0;
  expect(findSpeedUnit(straight({ rateHz: 10, speedFactor: 1 / knot }), knot)).toBe(knot);
});

test('a stationary car proves nothing, so the label counts', () => {
  const standing = straight({ rateHz: 10, speedFactor: 1, metersPerSecond: 0.5 });
  expect(findSpeedUnit(standing, 1 / 3.6)).toBe(1 / 3.6);
  expect(findSpeedUnit(standing, null)).toBeNull();
});

test('speeds are turned into metres per second', () => {
  const fixes = withSpeedUnit(straight({ rateHz: 10, speedFactor: 3.6 }), 1 / 3.6);
  expect(fixes.speedsMetersPerSecond[5]).toBeCloseTo(30, 9);
});

test.each([
  ['m/s', 1],
  ['Km/h', 1 / 3.6],
  ['KPH', 1 / 3.6],
  ['MPH', 0.44704],
  ['knots', 0.514444],
])('%s is a unit of speed', (unit, metersPerSecond) => {
  expect(metersPerSecondIn(unit)).toBeCloseTo(metersPerSecond, 5);
});

test('what is no unit of speed has no value', () => {
  expect(metersPerSecondIn('')).toBeNull();
  expect(metersPerSecondIn('°C')).toBeNull();
});
