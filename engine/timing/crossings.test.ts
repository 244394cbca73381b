import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCrossings } from './crossings.ts';
import type { DrivenFix } from '../simulation/drive.ts';
import { makeLapFile, fixAt, lineAcross } from '../testing/fixes.ts';
import { openFixes } from '../time-lap-file.ts';
import { toLineFrame, type TimingLine } from '../timing-line.ts';

function passesOver(line: TimingLine, fixes: DrivenFix[]) {
  const frame = toLineFrame(line);
  if (frame === null) throw new Error('The line has no extent.');
  return findCrossings(openFixes(makeLapFile(fixes)), frame);
}

/** Returns fixes at these places to the east, one every 100 ms. */
function drive(xs: number[], y = 0): DrivenFix[] {
  return xs.map((x, index) => fixAt(index * 100, x, y));
}

/** The line goes through exactly these degrees, so that a fix can lie on it to the last bit. */
const EXACT_LINE: TimingLine = { a: { lat: 50.0001, lon: 7 }, b: { lat: 49.9999, lon: 7 }, bearingDeg: 90 };
function alongLons(steps: number[]): DrivenFix[] {
  return steps.map((step, index) => ({
    timeMs: index * 100,
    lat: 50,
    lon: 7 + step / 65_536,
    speedMetersPerSecond: Number.NaN,
  }));
}

test('a fix exactly on the line counts once, at its own time', () => {
  const crossings = passesOver(EXACT_LINE, alongLons([-3, -2, -1, 0, 1, 2, 3]));
  expect(crossings.map((crossing) => [crossing.timeMs, crossing.isForward])).toEqual([[300, true]]);
});

test('the last fix exactly on the line counts, and so does the first', () => {
  expect(passesOver(EXACT_LINE, alongLons([-3, -2, -1, 0])).map((crossing) => crossing.timeMs)).toEqual([
    300,
  ]);
  expect(passesOver(EXACT_LINE, alongLons([0, 1, 2, 3])).map((crossing) => crossing.timeMs)).toEqual([0]);
});

test('a recording that ends or begins a hand’s breadth beyond the line has passed it', () => {
  const [end] = passesOver(lineAcross(0), drive([-60.2, -40.2, -20.2, -0.2]));
  expect(end).toMatchObject({ isForward: true, fixIndex: 2 });
  expect(end?.timeMs).toBeCloseTo(301, 3);
  const [start] = passesOver(lineAcross(0), drive([0.2, 20.2, 40.2, 60.2]));
  expect(start).toMatchObject({ isForward: true, fixIndex: 0 });
  expect(start?.timeMs).toBeCloseTo(-1, 3);
  expect(passesOver(lineAcross(0), drive([60.2, 40.2, 20.2, 0.2]))[0]?.isForward).toBe(false);
});

test('a trace that breaks right at the line has passed it once', () => {
  const before = drive([-60.2, -40.2, -20.2, -0.2]);
  const beyond = drive([0.2, 20.2, 40.2, 60.2], 35).map((fix) => ({ ...fix, timeMs: fix.timeMs + 302 }));
  const crossings = passesOver(lineAcross(0, 40), [...before, ...beyond]);
  expect(crossings.map((crossing) => Math.round(crossing.timeMs))).toEqual([301]);
});

test('a recording that ends farther from the line, beside it, or at a walk has not passed it', () => {
  expect(passesOver(lineAcross(0), drive([-62, -42, -22, -7]))).toEqual([]);
  expect(passesOver(lineAcross(0), drive([-60.2, -40.2, -20.2, -0.2], 300))).toEqual([]);
  expect(passesOver(lineAcross(0), drive([-0.5, -0.4, -0.3, -0.2]))).toEqual([]);
});

test('touching the line and turning back is no pass', () => {
  expect(passesOver(EXACT_LINE, alongLons([-30, -20, -10, 0, -10, -20, -30]))).toEqual([]);
  expect(passesOver(EXACT_LINE, alongLons([30, 20, 10, 0, 10, 20, 30]))).toEqual([]);
});

test('a crossing in the other direction is marked as reverse', () => {
  const crossings = passesOver(
    lineAcross(0),
    drive([35, 25, 15, 5, -5, -15, -25, -35, -25, -15, -5, 5, 15, 25]),
  );
  expect(crossings.map((crossing) => crossing.isForward)).toEqual([false, true]);
});

test('without a bearing the left end makes the direction, and with one the ends may be swapped', () => {
  const eastward = drive([-15, -5, 5, 15]);
  const { a, b } = lineAcross(0);
  expect(passesOver({ a, b, bearingDeg: null }, eastward)[0]?.isForward).toBe(true);
  expect(passesOver({ a: b, b: a, bearingDeg: null }, eastward)[0]?.isForward).toBe(false);
  expect(passesOver({ a: b, b: a, bearingDeg: 90 }, eastward)[0]?.isForward).toBe(true);
});

test('passing beside the ends of the line does not count', () => {
  const xs = [-15, -5, 5, 15];
  expect(passesOver(lineAcross(0, 10), drive(xs, 13))).toEqual([]);
  expect(passesOver(lineAcross(0, 10), drive(xs, -13))).toEqual([]);
  expect(passesOver(lineAcross(0, 10), drive(xs, 9))).toHaveLength(1);
});

test('a car that rolls to and fro on the line has passed it once, or not at all', () => {
  const shiver = [-30, -20, -10, -2, 1, -1, 2, -2, 3, -1, 1];
  expect(
    passesOver(lineAcross(0), drive([...shiver, 10, 20, 30])).map((crossing) => crossing.isForward),
  ).toEqual([true]);
  expect(passesOver(lineAcross(0), drive([...shiver, -10, -20, -30]))).toEqual([]);
});

test('nothing is passed while the recording pauses', () => {
  const fixes = [
    ...drive([-60, -40, -20]),
    ...drive([20, 40, 60]).map((fix) => ({ ...fix, timeMs: fix.timeMs + 600_000 })),
  ];
  expect(passesOver(lineAcross(0), fixes)).toEqual([]);
});

test('a line without extent is never passed', () => {
  const { a } = lineAcross(0);
  expect(toLineFrame({ a, b: a, bearingDeg: 90 })).toBeNull();
});

test('with speeds, an even acceleration is timed to a tenth of a millisecond even at one fix a second', () => {
  const acceleration = fc.double({ min: -5, max: 5, noNaN: true });
  const phase = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(acceleration, phase, fc.double({ min: 35, max: 60, noNaN: true }), (a, shift, speed) => {
      // The car is at the line at 0 s; the recording begins 6 s before.
      const fixes = Array.from({ length: 12 }, (_, index) => {
        const seconds = index - 6 + shift;
        return fixAt(seconds * 1000, speed * seconds + (a * seconds ** 2) / 2, 0, speed + a * seconds);
      });
      const frame = toLineFrame(lineAcross(0));
      if (frame === null) throw new Error('The line has no extent.');
      const { trace } = openFixes(makeLapFile(fixes));
      const speeds = { scale: 1, delaySeconds: 0, residualMeters: 0.05 };
      const crossings = findCrossings({ trace, speeds, noise: { whiteMeters: 0, driftMeters: 0 } }, frame);
      expect(crossings).toHaveLength(1);
      expect(Math.abs(crossings[0]?.timeMs ?? 99)).toBeLessThan(0.1);
      expect(crossings[0]?.speedMetersPerSecond).toBeCloseTo(speed, 1);
    }),
  );
});

test('without speeds, ten fixes a second time the same to half a millisecond', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -8, max: 8, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (a, shift) => {
        const fixes = Array.from({ length: 12 }, (_, index) => {
          const seconds = (index - 6 + shift) / 10;
          return fixAt(seconds * 1000, 40 * seconds + (a * seconds ** 2) / 2);
        });
        const crossings = passesOver(lineAcross(0), fixes);
        expect(Math.abs(crossings[0]?.timeMs ?? 99)).toBeLessThan(0.5);
      },
    ),
  );
});
