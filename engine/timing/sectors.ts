import { findCrossings, type MeasuredTrace, type Crossing } from './crossings.ts';
import { isMostlyForward } from './lap-spans.ts';
import { toLineFrame } from '../timing-line.ts';
import type { SectorLine } from '../track.ts';

/** Finds when each sector line was crossed. Most crossings tell the direction: libraries are often wrong about it. */
export function findSectorCrossings(measured: MeasuredTrace, sectors: SectorLine[]): number[][] {
  return sectors.map((sector) => {
    const frame = toLineFrame(sector);
    if (frame === null) return [];
    const crossings = findCrossings(measured, frame);
    const isForward = isMostlyForward(crossings);
    return crossings
      .filter((crossing) => crossing.isForward === isForward)
      .map((crossing) => crossing.timeMs);
  });
}

/**
 * Returns the sector times, in milliseconds, of the lap from `startTimeMs` to `endTimeMs`: one per sector line and one
 * for the rest of the lap. Where a line was missed, both sectors that it parts are null. No entries for a track without
 * sector lines.
 */
export function sectorTimesBetween(
  crossingTimes: number[][],
  startTimeMs: number,
  endTimeMs: number,
): (number | null)[] {
  if (crossingTimes.length === 0) return [];
  let latest = startTimeMs;
  const ends = crossingTimes.map((times) => {
    const passed = times.find((time) => time > latest && time < endTimeMs) ?? null;
    latest = passed ?? latest;
    return passed;
  });
  return [...ends, endTimeMs].map((end, index) => {
    const start = index === 0 ? startTimeMs : (ends[index - 1] ?? null);
    return start === null || end === null ? null : end - start;
  });
}

/** Returns whether sector lines were passed in the order of the track; null where fewer than two of them were passed in any lap. */
export function areSectorsInOrder(
  laps: readonly { start: Crossing; end: Crossing }[],
  crossingTimes: number[][],
): boolean | null {
  let balance = 0;
  for (const { start, end } of laps) {
    const firsts = crossingTimes.map((times) =>
      times.find((time) => time > start.timeMs && time < end.timeMs),
    );
    const passed = firsts.filter((time) => time !== undefined);
    const [first, last] = [passed[0], passed.at(-1)];
    if (first !== undefined && last !== undefined) balance += Math.sign(last - first);
  }
  return balance === 0 ? null : balance > 0;
}
