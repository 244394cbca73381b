import { describe, expect, test } from 'vitest';
import { planeAround, toPosition, type PlanePoint, type Position } from '../geo.ts';
import { isRanking } from '../timing/laps.ts';
import { toLapFile, type DrivenFix } from '../simulation/drive.ts';
import { seededRandom } from '../simulation/random.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import type { Track } from '../track.ts';

const HERE = { lat: 47.2, lon: 14.76 };
const plane = planeAround(HERE);

/** The circuit, from the end of the pit exit around to the pit entry, before and after the start/finish line at x = 0. */
const AROUND: Corner[] = [
  [300, 100],
  [200, 300],
  [-200, 300],
  [-300, 100],
  [-180, 0],
];
type Corner = [east: number, north: number];
/** Describes a way through some corners at an even speed, and how long the car is stationary at its end. */
type Leg = { corners: Corner[]; speed: number; stopSeconds?: number };

const RACING = 32;
const PITS = 14;
const PADDOCK = 4;

const LAP: Leg = { corners: [[180, 0], ...AROUND], speed: RACING };
const OUT_OF_THE_PITS: Leg = {
  corners: [
    [140, -20],
    [180, 0],
  ],
  speed: PITS,
};
const INTO_THE_PITS: Leg = { corners: [[-140, -20]], speed: PITS };
/** A pit lane runs along the straight, 20 m south of it; the paddock road leads the other way, 40 m farther. */
const SESSION: Leg[] = [
  {
    corners: [
      [100, -60],
      [-120, -60],
      [-140, -20],
    ],
    speed: PADDOCK,
  },
  OUT_OF_THE_PITS,
  { corners: AROUND, speed: 20 },
  LAP,
  LAP,
  LAP,
  INTO_THE_PITS,
  { corners: [[-20, -20]], speed: PITS, stopSeconds: 90 },
  OUT_OF_THE_PITS,
  { corners: AROUND, speed: 20 },
  LAP,
  LAP,
  INTO_THE_PITS,
  {
    corners: [
      [60, -20],
      [80, -60],
    ],
    speed: PITS,
  },
  { corners: [[-100, -60]], speed: PADDOCK },
];

/** Enough for the straights not to look interpolated. */
const NOISE_METERS = 0.02;

/** The drive at 10 Hz, and when it was at x = 0, with the way's place to the north. */
function drive(legs: readonly Leg[]): { fixes: DrivenFix[]; passes: { timeMs: number; north: number }[] } {
  const fixes: DrivenFix[] = [];
  const passes: { timeMs: number; north: number }[] = [];
  const random = seededRandom(1);
  let [timeMs, x, y] = [0, Number.NaN, Number.NaN];
  const see = (from: number, until: number, place: (share: number) => PlanePoint, speed: number): void => {
    for (let due = Math.ceil(from / 100) * 100; due < until; due += 100) {
      const { x, y } = place((due - from) / (until - from));
      const noise = { x: NOISE_METERS * random.normal(), y: NOISE_METERS * random.normal() };
      const position = toPosition(plane, { x: x + noise.x, y: y + noise.y });
      fixes.push({ timeMs: due, ...position, speedMetersPerSecond: speed });
    }
  };
  for (const { corners, speed, stopSeconds = 0 } of legs) {
    for (const [toX, toY] of corners) {
      const [fromX, fromY] = Number.isNaN(x) ? [toX, toY] : [x, y];
      const until = timeMs + (1000 * Math.hypot(toX - fromX, toY - fromY)) / speed;
      const place = (share: number) => ({
        x: fromX + share * (toX - fromX),
        y: fromY + share * (toY - fromY),
      });
      see(timeMs, until, place, speed);
      const share = fromX / (fromX - toX);
      if (share > 0 && share < 1)
        passes.push({ timeMs: timeMs + share * (until - timeMs), north: place(share).y });
      [timeMs, x, y] = [until, toX, toY];
    }
    const [standX, standY] = [x, y];
    see(timeMs, timeMs + 1000 * stopSeconds, () => ({ x: standX, y: standY }), 0);
    timeMs += 1000 * stopSeconds;
  }
  return { fixes, passes };
}

const at = (east: number, north: number): Position => toPosition(plane, { x: east, y: north });

/** Returns the circuit with a line from 12 m north of the middle of the straight to somewhere south of it. */
function circuit(southEnd: number, changes: Partial<Track> = {}): Track {
  const outline = [[0, 0], [180, 0], ...AROUND].map(([x = 0, y = 0]): [number, number] => {
    const { lat, lon } = at(x, y);
    return [lat, lon];
  });
  return {
    id: 'circuit',
    name: 'Circuit',
    configuration: null,
    lengthMeters: null,
    centerLat: HERE.lat,
    centerLon: HERE.lon,
    radiusMeters: 600,
    startFinishLine: { a: at(0, 12), b: at(0, southEnd), bearingDeg: 90 },
    sectors: [],
    outline,
    ...changes,
  };
}

/** Returns for each lap whether it ranks, and why not. */
function classified(legs: readonly Leg[], track: Track): string[] {
  const { fixes } = drive(legs);
  return timeLaps(openFixes(toLapFile(fixes)), track).laps.map((lap) =>
    isRanking(lap) ? 'ranks' : lap.reasons.filter((reason) => reason !== 'impossible_jump').join(', '),
  );
}

/** Returns the times from one pass to the next of those that lie within a line from 12 m north to so far south, in racing direction. */
function truth(legs: readonly Leg[], southEnd: number): number[] {
  const passes = drive(legs).passes.filter(({ north }) => north > southEnd && north > -50 && north < 50);
  return passes.slice(1).map(({ timeMs }, index) => timeMs - (passes[index]?.timeMs ?? 0));
}

describe('a session from the paddock, with a stop', () => {
  test('on a line that ends before the pit lane: a lap through the pits is one of twice the length', () => {
    expect(classified(SESSION, circuit(-12))).toEqual([
      'out_lap',
      'ranks',
      'ranks',
      'too_long',
      'ranks',
      'in_lap',
    ]);
  });

  test.each([-12, -30, -75])('has the times of a timekeeper on a line down to %i m', (southEnd) => {
    const timed = timeLaps(openFixes(toLapFile(drive(SESSION).fixes)), circuit(southEnd));
    const laps = timed.laps.filter(({ status }) => status !== 'incomplete');
    const times = truth(SESSION, southEnd);
    expect(laps).toHaveLength(times.length);
    laps.forEach((lap, index) => expect(Math.abs(lap.lapTimeMs - (times[index] ?? 0))).toBeLessThan(3));
  });
});

test('as many ways through the paddock as passes on the track do not turn a session round', () => {
  const legs: Leg[] = [
    {
      corners: [
        [100, -60],
        [-120, -60],
        [-180, 0],
      ],
      speed: PADDOCK,
    },
    LAP,
    { corners: [[180, 0]], speed: RACING },
    {
      corners: [
        [140, -60],
        [-100, -60],
      ],
      speed: PADDOCK,
    },
  ];
  expect(classified(legs, circuit(-75))).toEqual(['ranks']);
  const { laps } = timeLaps(openFixes(toLapFile(drive(legs).fixes)), circuit(-75));
  expect(Math.abs((laps[0]?.lapTimeMs ?? 0) - (truth(legs, -75)[0] ?? 0))).toBeLessThan(3);
});
