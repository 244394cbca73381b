import { expect, test } from 'vitest';
import { at } from '../fix-columns.ts';
import { planeAround, toPosition } from '../geo.ts';
import { seededRandom } from '../simulation/random.ts';
import { deriveAccelerations, type MotionColumns } from './accelerations.ts';

const PLANE = planeAround({ lat: -33, lon: 151 });

type State = { x: number; y: number; speed: number };

/** A drive of `seconds`, seen so many times a second by a receiver with some noise. */
function drive(state: (seconds: number) => State, rateHz: number, seconds = 12): MotionColumns {
  const random = seededRandom(rateHz);
  const states = Array.from({ length: seconds * rateHz }, (_, fix) => {
    const { x, y, speed } = state(fix / rateHz);
    const noisy = { x: x + 0.02 * random.normal(), y: y + 0.02 * random.normal() };
    return { ...toPosition(PLANE, noisy), speed: speed + 0.05 * random.normal() };
  });
  return {
    timesMs: Float64Array.from(states, (_, fix) => (1000 * fix) / rateHz),
    lats: Float64Array.from(states, ({ lat }) => lat),
    lons: Float64Array.from(states, ({ lon }) => lon),
    speedsMetersPerSecond: Float64Array.from(states, ({ speed }) => speed),
  };
}

/** Away from both ends, where half of what a mean is taken over is missing. */
function middleOf(column: Float64Array): Float64Array {
  return column.subarray(Math.floor(column.length / 4), Math.ceil((3 * column.length) / 4));
}

test('on a circle at an even speed, the lateral acceleration is v²/r: positive to the right, negative to the left', () => {
  for (const rateHz of [5, 10, 25]) {
    for (const side of [1, -1]) {
      const columns = drive(
        (seconds) => ({
          x: side * 50 * (1 - Math.cos(0.4 * seconds)),
          y: 50 * Math.sin(0.4 * seconds),
          speed: 20,
        }),
        rateHz,
      );
      const { longitudinal, lateral } = deriveAccelerations(columns);
      middleOf(lateral).forEach((acceleration) =>
        expect(Math.abs(acceleration - side * 8)).toBeLessThan(1.2),
      );
      middleOf(longitudinal).forEach((acceleration) => expect(Math.abs(acceleration)).toBeLessThan(0.6));
    }
  }
});

test('braking in a straight line is negative longitudinal acceleration, and no lateral one', () => {
  for (const rateHz of [5, 10, 25]) {
    const columns = drive(
      (seconds) => ({
        x: 0,
        y: 60 * seconds - (4 * seconds ** 2) / 2,
        speed: 60 - 4 * seconds,
      }),
      rateHz,
    );
    const { longitudinal, lateral } = deriveAccelerations(columns);
    middleOf(longitudinal).forEach((acceleration) => expect(Math.abs(acceleration + 4)).toBeLessThan(0.6));
    middleOf(lateral).forEach((acceleration) => expect(Math.abs(acceleration)).toBeLessThan(1.2));
  }
});

test('a car that is stationary, a single fix and no fix at all have no acceleration', () => {
  const still = deriveAccelerations(drive(() => ({ x: 0, y: 0, speed: 0 }), 10));
  still.lateral.forEach((acceleration) => expect(acceleration).toBe(0));
  still.longitudinal.forEach((acceleration) => expect(Math.abs(acceleration)).toBeLessThan(1));
  for (const length of [0, 1, 2]) {
    const few = drive(() => ({ x: 0, y: 0, speed: 10 }), 1, length);
    const { longitudinal, lateral } = deriveAccelerations(few);
    expect([longitudinal.length, lateral.length]).toEqual([length, length]);
    longitudinal.forEach((value, index) => expect(Number.isFinite(value + at(lateral, index))).toBe(true));
  }
});
