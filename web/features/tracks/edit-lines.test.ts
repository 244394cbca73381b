import { describe, expect, test } from 'vitest';
import { distanceMeters, middle, planeAround, toPosition, wrapDegrees } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';
import {
  findLine,
  lineAt,
  removeLinesOutsideRun,
  nearestPoint,
  findPose,
  poseWithEnd,
  findLineRange,
  turned,
  withFinish,
  withLine,
  withoutLine,
  withSector,
  type LinePose,
  type TrackLines,
  type Path,
} from './edit-lines.ts';

const PLANE = planeAround({ lat: 47.2, lon: 9.9 });
const at = (x: number, y: number): OutlinePoint => {
  const { lat, lon } = toPosition(PLANE, { x, y });
  return [lat, lon];
};
/** 600 m around, clockwise: north, east, south and west again, a point every 10 m. */
const SQUARE: Path = {
  isOpen: false,
  outline: [
    ...Array.from({ length: 15 }, (_, step) => at(0, 10 * step)),
    ...Array.from({ length: 15 }, (_, step) => at(10 * step, 150)),
    ...Array.from({ length: 15 }, (_, step) => at(150, 150 - 10 * step)),
    ...Array.from({ length: 15 }, (_, step) => at(150 - 10 * step, 0)),
  ],
};
const OPEN: Path = { isOpen: true, outline: SQUARE.outline.slice(0, 40) };
const POSE: LinePose = { index: 7, leftMeters: 12, rightMeters: 9, skewDegrees: 0, isReverse: false };

function linesAt(...indexes: number[]): TrackLines {
  const [start = 7, ...sectors] = indexes;
  return {
    startFinishLine: lineAt(SQUARE, { ...POSE, index: start }),
    finishLine: null,
    sectors: sectors.map((index, number) => ({
      ...lineAt(SQUARE, { ...POSE, index }),
      name: `S${number + 1}`,
    })),
  };
}

function indexesOf({ sectors }: TrackLines): number[] {
  return sectors.map((sector) => Math.round(findPose(SQUARE, sector).index));
}

function dragEnd(x: number, y: number): LinePose {
  const [lat, lon] = at(x, y);
  return poseWithEnd(SQUARE, POSE, 'b', { lat, lon });
}

describe('a line across a path', () => {
  test('is square to it, its left end first, and bears its driving direction', () => {
    const { a, b, bearingDeg } = lineAt(SQUARE, POSE);
    const [lat, lon] = at(-12, 70);
    expect(distanceMeters(a, { lat, lon })).toBeLessThan(0.1);
    expect(distanceMeters(a, b)).toBeCloseTo(21, 1);
    expect(Math.abs(wrapDegrees(bearingDeg ?? 180))).toBeLessThan(0.1);
  });

  test.each([
    POSE,
    { ...POSE, index: 20.4, skewDegrees: 30 },
    { ...POSE, index: 36, skewDegrees: -25, isReverse: true },
    { ...POSE, index: 59.6 },
  ])('%o is read back as it was placed', (pose) => {
    const read = findPose(SQUARE, lineAt(SQUARE, pose));
    expect(read.isReverse).toBe(pose.isReverse);
    for (const key of ['index', 'leftMeters', 'rightMeters', 'skewDegrees'] as const)
      expect(read[key]).toBeCloseTo(pose[key], 0);
  });

  test('snaps to square when an end is dragged to nearly there, and turns beyond', () => {
    expect(dragEnd(20, 72)).toMatchObject({ skewDegrees: 0, leftMeters: 12 });
    expect(dragEnd(20, 72).rightMeters).toBeCloseTo(20.1, 1);
    expect(dragEnd(20, 60).skewDegrees).toBeCloseTo(26.6, 0);
    expect(dragEnd(500, 70).rightMeters).toBe(60);
    expect(dragEnd(0, 40).skewDegrees).toBe(45);
  });

  test('follows the point of the path that is nearest to the pointer', () => {
    const [lat, lon] = at(160, 99);
    expect(nearestPoint(SQUARE, { lat, lon })).toBe(35);
  });
});

describe('sector lines', () => {
  test('stay in driving order when one is moved past another, and are numbered again', () => {
    const { lines, key } = withLine(SQUARE, linesAt(7, 20, 40), 0, lineAt(SQUARE, { ...POSE, index: 50 }));
    expect(indexesOf(lines)).toEqual([40, 50]);
    expect(lines.sectors.map(({ name }) => name)).toEqual(['S1', 'S2']);
    expect(key).toBe(1);
  });

  test('keep names of their own', () => {
    const named = linesAt(7, 20, 40);
    const sectors = named.sectors.map((sector, index) => ({
      ...sector,
      name: ['Hairpin', 'Bridge'][index] ?? '',
    }));
    const { lines } = withLine(SQUARE, { ...named, sectors }, 0, lineAt(SQUARE, { ...POSE, index: 50 }));
    expect(lines.sectors.map(({ name }) => name)).toEqual(['Bridge', 'Hairpin']);
  });

  test('are added in the middle of the longest part', () => {
    const { lines, key } = withSector(SQUARE, linesAt(7, 17));
    expect(indexesOf(lines)).toEqual([17, 42]);
    expect(lines.sectors.map(({ name }) => name)).toEqual(['S1', 'S2']);
    expect(findLine(lines, key)).toBe(lines.sectors[1]);
    expect(indexesOf(withSector(SQUARE, lines).lines)).toEqual([17, 30, 42]);
  });

  test('are removed, and the rest is numbered again', () => {
    const left = withoutLine(linesAt(7, 20, 40), 0);
    expect(indexesOf(left)).toEqual([40]);
    expect(left.sectors[0]?.name).toBe('S1');
  });
});

test('a lap that ends elsewhere gets a finish line, and loses it again', () => {
  const lines = withFinish(SQUARE, linesAt(7));
  const finish = lines.finishLine;
  if (finish === null) throw new Error('There is a finish line.');
  expect(findPose(SQUARE, finish).index).toBeCloseTo(55, 0);
  expect(withoutLine(lines, 'finish').finishLine).toBeNull();
});

test('turned, a circuit is driven in the other direction, and a stage begins at its finish', () => {
  const circuit = turned(linesAt(7, 20, 40));
  expect(findPose(SQUARE, circuit.startFinishLine)).toMatchObject({ isReverse: true });
  expect(indexesOf(circuit)).toEqual([40, 20]);
  expect(turned(circuit)).toEqual(linesAt(7, 20, 40));

  const stage: TrackLines = { ...linesAt(2, 20), finishLine: lineAt(OPEN, { ...POSE, index: 38 }) };
  const back = turned(stage);
  const start = middle(back.startFinishLine.a, back.startFinishLine.b);
  expect(nearestPoint(OPEN, start)).toBe(38);
  expect(indexesOf(withSector(OPEN, back).lines)).toEqual([29, 20]);
});

describe('a stage', () => {
  const finishLine = lineAt(OPEN, { ...POSE, index: 38 });
  const stage: TrackLines = { ...linesAt(2, 14, 26), finishLine };
  const [lat, lon] = at(3, 21);
  const pointer = { lat, lon };

  test('keeps its finish after its start, also where the start is nearer to the pointer', () => {
    expect(nearestPoint(OPEN, pointer)).toBe(2);
    expect(findLineRange(OPEN, stage, 'finish').last).toBe(39);
    expect(nearestPoint(OPEN, pointer, findLineRange(OPEN, stage, 'finish'))).toBeGreaterThanOrEqual(12);
    expect(findLineRange(OPEN, stage, 'start').first).toBe(0);
    expect(findLineRange(OPEN, stage, 'start').last).toBeLessThanOrEqual(28);
  });

  test('keeps them in order when it is driven in the other direction', () => {
    const back = turned(stage);
    expect(findLineRange(OPEN, back, 'finish').first).toBe(0);
    expect(findLineRange(OPEN, back, 'finish').last).toBeLessThanOrEqual(28);
    expect(findLineRange(OPEN, back, 'start').first).toBeGreaterThanOrEqual(12);
  });

  test('is timed without sector lines beyond its finish', () => {
    const shorter = { ...stage, finishLine: lineAt(OPEN, { ...POSE, index: 20 }) };
    expect(indexesOf(removeLinesOutsideRun(OPEN, shorter))).toEqual([14]);
    expect(removeLinesOutsideRun(OPEN, stage).sectors).toHaveLength(2);
  });
});

test('a line of a circuit may lie anywhere', () => {
  expect(findLineRange(SQUARE, linesAt(7), 'start')).toEqual({ first: 0, last: 60 });
});
