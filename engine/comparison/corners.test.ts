import { expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import type { Receiver } from '../simulation/receiver.ts';
import { pieceLength, trackOfPieces, type TrackPiece } from '../testing/track-of-pieces.ts';
import { openFixes, timeLaps } from '../time-lap-file.ts';
import type { Track } from '../track.ts';
import { lineOfLaps } from './build-reference-line.ts';
import { findCorners, type Corner } from './corners.ts';
import { lineOfOutline } from './line-of-outline.ts';

function cornersOf(track: Track): Corner[] {
  const line = lineOfOutline(track);
  if (line === null) throw new Error('The track has an outline.');
  return findCorners(line);
}

function signs(corners: readonly Corner[]): string {
  return corners.map(({ direction }) => (direction === 'left' ? 'L' : 'R')).join('');
}

/** Lists the middles of the pieces, in metres from the start. */
function middles(pieces: readonly TrackPiece[]): number[] {
  let meters = 0;
  return pieces.map((piece) => {
    const middle = meters + pieceLength(piece) / 2;
    meters += pieceLength(piece);
    return middle;
  });
}

const bend = (degrees: number, radiusMeters: number): TrackPiece => ({ degrees, radiusMeters });
const straight = (meters: number): TrackPiece => ({ meters });

test('the four bends of a rectangle are four corners, with their apexes in the middle', () => {
  const pieces = [
    straight(300),
    bend(90, 40),
    straight(400),
    bend(90, 40),
    straight(600),
    bend(90, 40),
    straight(400),
    bend(90, 40),
    straight(300),
  ];
  const corners = cornersOf(trackOfPieces(pieces, 'circuit'));
  expect(signs(corners)).toBe('RRRR');
  expect(corners.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  const expected = middles(pieces).filter((_, index) => index % 2 === 1);
  corners.forEach(({ startMeters, apexMeters, endMeters }, index) => {
    expect(Math.abs(apexMeters - (expected[index] ?? 0))).toBeLessThan(5);
    expect(Math.abs(endMeters - startMeters - pieceLength(bend(90, 40)))).toBeLessThan(35);
  });
});

test('a corner on the start/finish line has the number of its apex, and nothing beyond the lap', () => {
  const half = [bend(60, 40), straight(400), bend(90, 40), straight(600)];
  const pieces = [...half, bend(90, 40), straight(400), bend(90, 40), straight(600), bend(30, 40)];
  const corners = cornersOf(trackOfPieces(pieces, 'circuit'));
  expect(signs(corners)).toBe('RRRR');
  expect(corners[0]?.startMeters).toBe(0);
  expect(corners[0]?.apexMeters).toBeLessThan(25);
  expect(corners.at(-1)?.endMeters).toBeLessThan(2500);
});

test('a chicane is two corners, a hairpin one, and bends in one direction with a straight between them two', () => {
  const shapes: [TrackPiece[], string][] = [
    [[bend(50, 30), straight(20), bend(-50, 30)], 'RL'],
    [[bend(-180, 20)], 'L'],
    [[bend(-180, 120)], 'L'],
    [[bend(80, 50), straight(180), bend(80, 50)], 'RR'],
    [[bend(90, 60), straight(80), bend(40, 60)], 'RR'],
    [[bend(30, 60), straight(10), bend(30, 60)], 'R'],
    [[bend(8, 300)], ''],
    [[bend(20, 1000)], ''],
  ];
  for (const [shape, expected] of shapes) {
    const track = trackOfPieces([straight(900), ...shape, straight(2500)], 'stage');
    expect(signs(cornersOf(track)), JSON.stringify(shape)).toBe(expected);
  }
});

test('on a kart track, everything is smaller', () => {
  const pieces = [
    straight(120),
    bend(180, 8),
    straight(60),
    bend(-90, 12),
    straight(25),
    bend(-90, 12),
    straight(40),
    bend(180, 10),
    straight(300),
  ];
  expect(signs(cornersOf(trackOfPieces(pieces, 'stage')))).toBe('RLLR');
});

test('corners follow each other from the start to the end of the lap', () => {
  for (const id of ['circuit-de-monaco-street-circuit', 'silverstone-circuit-grand-prix-arena']) {
    const line = lineOfOutline(libraryTrack(id));
    if (line === null) throw new Error('The track has an outline.');
    const corners = findCorners(line);
    expect(corners[0]?.startMeters).toBeGreaterThanOrEqual(0);
    expect(corners.at(-1)?.endMeters).toBeLessThanOrEqual(line.endMeters - line.startMeters);
    corners.forEach((corner, index) => {
      expect(corner.startMeters).toBeLessThanOrEqual(corner.apexMeters);
      expect(corner.apexMeters).toBeLessThanOrEqual(corner.endMeters);
      const next = corners[index + 1];
      if (next !== undefined) expect(corner.apexMeters).toBeLessThan(next.apexMeters);
    });
  }
});

const RECEIVERS: Partial<Receiver>[] = [
  { rateHz: 25, noiseMeters: 0.03, driftMeters: 0.5 },
  { rateHz: 10, noiseMeters: 0.1, driftMeters: 1 },
  { rateHz: 5, noiseMeters: 0.3, driftMeters: 1 },
];

test('other drivers and other receivers give the same corners, but for kinks that just are corners or just are none', () => {
  for (const id of [
    'weathertech-raceway-laguna-seca-full',
    'circuit-zandvoort-grand-prix',
    'waterford-hills-full',
  ]) {
    const track = libraryTrack(id);
    const [first = [], ...others] = RECEIVERS.map((receiver, index) =>
      cornersOfDrives(track, receiver, 10 * index),
    );
    for (const corners of others) {
      expect(Math.abs(corners.length - first.length), id).toBeLessThanOrEqual(2);
      const missing = first.filter(
        ({ apexMeters, direction }) =>
          !corners.some(
            (corner) => corner.direction === direction && Math.abs(corner.apexMeters - apexMeters) < 20,
          ),
      );
      expect(missing.length, id).toBeLessThanOrEqual(2);
    }
  }
});

function cornersOfDrives(track: Track, receiver: Partial<Receiver>, seed: number): Corner[] {
  const laps = [1, 2, 3].map((driver) => {
    const file = openFixes(toLapFile(simulateDrive(track, { seed: seed + driver, laps: 1, receiver }).fixes));
    const [lap] = timeLaps(file, track).laps.filter(({ status }) => status === 'valid');
    if (lap === undefined) throw new Error('The drive has a lap.');
    return { ...file, lap };
  });
  const line = lineOfLaps(laps);
  if (line === null) throw new Error('The laps have a line.');
  return findCorners(line);
}

/** Sources commonly give circuits so many corners. Some number every kink, others none. */
const COMMON_COUNTS: Record<string, number> = {
  'albert-park-circuit-grand-prix': 14,
  'autodromo-enzo-e-dino-ferrari-imola-grand-prix': 19,
  'autodromo-nazionale-monza-grand-prix': 11,
  'autodromo-hermanos-rodriguez-grand-prix': 17,
  'autodromo-internacional-do-algarve-grand-prix': 15,
  'autodromo-jose-carlos-pace-interlagos-grand-prix': 15,
  'autodromo-do-estoril-grand-prix': 13,
  'bahrain-international-circuit-grand-prix': 15,
  'baku-city-circuit-street-circuit': 20,
  'circuit-gilles-villeneuve-grand-prix': 14,
  'circuit-zandvoort-grand-prix': 14,
  'circuit-de-barcelona-catalunya-grand-prix-no-chicane': 14,
  'circuit-de-monaco-street-circuit': 19,
  'circuit-de-spa-francorchamps-grand-prix': 19,
  'circuit-of-the-americas-grand-prix': 20,
  'hockenheimring-grand-prix': 17,
  'hungaroring-grand-prix': 14,
  'intercity-istanbul-park-grand-prix': 14,
  'jeddah-corniche-circuit-grand-prix': 27,
  'kyalami-grand-prix-circuit-full': 16,
  'las-vegas-strip-circuit-street-circuit': 17,
  'lusail-international-circuit-full': 16,
  'miami-international-autodrome-grand-prix': 19,
  'mugello-circuit-grand-prix': 15,
  'nurburgring-grand-prix': 15,
  'putnam-park-road-course-full': 10,
  'red-bull-ring-grand-prix': 10,
  'road-america-full': 14,
  'road-atlanta-full': 12,
  'sepang-international-circuit-grand-prix': 15,
  'shanghai-international-circuit-grand-prix': 16,
  'silverstone-circuit-grand-prix-arena': 18,
  'suzuka-circuit-full': 18,
  'watkins-glen-international-grand-prix-boot': 11,
  'weathertech-raceway-laguna-seca-full': 11,
  'yas-marina-circuit-grand-prix-2021': 16,
};

test('on most circuits of the library the number of corners is the common one, or one off', () => {
  const differences = Object.entries(COMMON_COUNTS).map(
    ([id, count]) => cornersOf(libraryTrack(id)).length - count,
  );
  const within = (most: number) => differences.filter((difference) => Math.abs(difference) <= most).length;
  expect(within(0)).toBeGreaterThanOrEqual(11);
  expect(within(1)).toBeGreaterThanOrEqual(22);
  expect(within(3)).toBeGreaterThanOrEqual(31);
});
