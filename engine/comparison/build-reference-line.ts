import { at } from '../fix-columns.ts';
import { median } from '../statistics.ts';
import { lapPath, planeOfLap } from './lap-path.ts';
import type { TracedLap } from './lap-trace.ts';
import { metersAt, projectOnto, type Projection } from './projection.ts';
import { estimateOffset } from './receiver-offset.ts';
import { curveThrough, lengthenStraight, lineThrough, type ReferenceLine } from './reference-line.ts';

/** With less of a lap than this on the line of the others, it was driven on another track. */
const FOUND_SHARE_MIN = 0.9;
/** The first round finds the middle from one lap, the second from the middle of the first. */
const ROUNDS = 2;
const NO_SHIFT = { x: 0, y: 0 };
/**
 * A recording may begin or end at the start/finish line. The line goes on straight by so much, so that other laps are found there
 * whose receivers were a little farther back or ahead.
 */
const LEAD_METERS = 30;

/** Returns the line that one lap has driven; null where it has too few positions. */
export function lineOfLap(traced: TracedLap): ReferenceLine | null {
  const plane = planeOfLap(traced);
  const path = lapPath(traced, plane);
  if (path === null) return null;
  const curve = lengthenStraight(curveThrough(path), LEAD_METERS);
  const startMeters = LEAD_METERS + path.metersBeforeStart;
  const line = lineThrough(plane, curve, { startMeters, endMeters: 0 });
  return withEnds(line, [{ traced, projection: projectOnto(line, path, NO_SHIFT) }]);
}

/**
 * Returns the line of a track from laps by many drivers, which is special to none of them: at every metre the middle of
 * all laps, after the offsets of their receivers were taken out. So one lap that ran wide hardly moves it. A handful of
 * laps by different drivers is enough, and more than 20 change nothing that matters. Laps that were driven elsewhere
 * are left out; null where none is left.
 */
export function lineOfLaps(laps: readonly TracedLap[]): ReferenceLine | null {
  let line: ReferenceLine | null = null;
  for (const lap of laps) line ??= lineOfLap(lap);
  if (line === null || laps.length === 1) return line;
  for (let round = 0; round < ROUNDS; round += 1) line = findMiddleLine(line, laps) ?? line;
  return line;
}

/** Counts how many of `laps` lead along `line` from its start to its end. */
export function countLapsAlong(line: ReferenceLine, laps: readonly TracedLap[]): number {
  return laps.filter((traced) => {
    const path = lapPath(traced, line.plane);
    return path !== null && estimateOffset(line, path, null).projection.foundShare >= FOUND_SHARE_MIN;
  }).length;
}

/** A lap on a line, after its positions were moved by the offset of its receiver. */
type DrivenLap = { traced: TracedLap; projection: Projection };

function findMiddleLine(line: ReferenceLine, laps: readonly TracedLap[]): ReferenceLine | null {
  const driven = laps.flatMap((traced) => {
    const path = lapPath(traced, line.plane);
    if (path === null) return [];
    const { projection, shift } = estimateOffset(line, path, null);
    return projection.foundShare < FOUND_SHARE_MIN ? [] : [{ traced, path, projection, shift }];
  });
  const asides = driven.map(({ projection }) => asideEveryStep(line, projection));
  // Receivers are wrong in all directions, so the middle of their offsets is nearest to the truth.
  const middle = {
    x: -(median(driven.map(({ shift }) => shift.x)) ?? 0),
    y: -(median(driven.map(({ shift }) => shift.y)) ?? 0),
  };
  const points = { xs: new Float64Array(line.length), ys: new Float64Array(line.length) };
  for (let index = 0; index < line.length; index += 1) {
    const values = asides.map((aside) => at(aside, index)).filter((aside) => Number.isFinite(aside));
    const aside = middleValue(values);
    points.xs[index] = at(line.xs, index) + aside * at(line.directionYs, index) + middle.x;
    points.ys[index] = at(line.ys, index) - aside * at(line.directionXs, index) + middle.y;
  }
  const moved = lineThrough(line.plane, points, line);
  return withEnds(
    moved,
    driven.map(({ traced, path, shift }) => ({
      traced,
      projection: projectOnto(moved, path, { x: shift.x + middle.x, y: shift.y + middle.y }),
    })),
  );
}

/** The mean of the two in the middle, where the number of values is even: a median that does not take sides with either. */
function middleValue(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
}

/** Returns how far to the right of the line a lap was, at every point of the line; NaN where it was not seen. */
function asideEveryStep(line: ReferenceLine, { meters, asideMeters, length }: Projection): Float64Array {
  let index = 0;
  return line.xs.map((_, step) => {
    const here = step * line.stepMeters;
    if (length < 2 || here < at(meters, 0) || here > at(meters, length - 1)) return Number.NaN;
    while (index + 2 < length && at(meters, index + 1) < here) index += 1;
    const share = (here - at(meters, index)) / (at(meters, index + 1) - at(meters, index));
    return at(asideMeters, index) + share * (at(asideMeters, index + 1) - at(asideMeters, index));
  });
}

/** The line with its start and end where the laps start and end. Null where that cannot be. */
function withEnds(line: ReferenceLine, laps: readonly DrivenLap[]): ReferenceLine | null {
  const usable = laps.filter(({ projection }) => projection.length >= 2);
  const ends = usable.map(({ traced: { lap }, projection }) => ({
    startMeters: metersAt(projection, lap.startTimeMs),
    endMeters: metersAt(projection, lap.startTimeMs + lap.lapTimeMs),
  }));
  const startMeters = middleValue(ends.map((lap) => lap.startMeters));
  const endMeters = middleValue(ends.map((lap) => lap.endMeters));
  return endMeters > startMeters ? { ...line, startMeters, endMeters } : null;
}
