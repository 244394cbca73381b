import {
  BIN_METERS,
  corridorMeters,
  distanceToBin,
  nearestBin,
  NO_BIN,
  type CenterLine,
} from '../center-line.ts';
import { at } from '../fix-columns.ts';
import { planeX, planeY } from '../geo.ts';
import type { Trace } from '../trace/trace.ts';

export type CenterLineCoverage = {
  /** Share of the centre line that the car came by, 0 to 1. */
  coverage: number;
  /** The longest stretch of the centre line that the car did not come by. */
  missedMeters: number;
  /** Distance driven within the corridor along the centre line, and outside of it. */
  insideMeters: number;
  outsideMeters: number;
  /** Bins of the centre line moved forwards minus bins moved backwards: positive when driven in its order. */
  netBins: number;
};

/** Follows the fixes from `first` to `last`, filling in between fixes that are far apart. */
export function coverCenterLine(
  trace: Trace,
  line: CenterLine,
  first: number,
  last: number,
): CenterLineCoverage {
  const { lats, lons } = trace.fixes;
  const binCount = line.xs.length;
  const seen = new Uint8Array(binCount);
  const result: CenterLineCoverage = {
    coverage: 0,
    missedMeters: 0,
    insideMeters: 0,
    outsideMeters: 0,
    netBins: 0,
  };
  let [x, y] = [planeX(line.plane, at(lons, first)), planeY(line.plane, at(lats, first))];
  let bin = NO_BIN;
  for (let index = first + 1; index <= last; index += 1) {
    const toX = planeX(line.plane, at(lons, index));
    const toY = planeY(line.plane, at(lats, index));
    // Math.hypot takes ten times as long, and this runs for every fix.
    const meters = Math.sqrt((toX - x) ** 2 + (toY - y) ** 2);
    if (meters < BIN_METERS && index < last) continue;
    const steps = Math.min(Math.max(1, Math.round(meters / BIN_METERS)), MAX_FILLED_STEPS);
    for (let step = 1; step <= steps; step += 1) {
      const u = step / steps;
      const stepX = x + u * (toX - x);
      const stepY = y + u * (toY - y);
      const nearest = nearestBin(line, stepX, stepY, bin);
      if (nearest === NO_BIN || distanceToBin(line, nearest, stepX, stepY) > corridorMeters(line, nearest)) {
        result.outsideMeters += meters / steps;
        bin = NO_BIN;
        continue;
      }
      result.insideMeters += meters / steps;
      result.netBins += bin === NO_BIN ? 0 : signedBinDistance(nearest - bin, binCount);
      bin = nearest;
      mark(seen, bin);
    }
    x = toX;
    y = toY;
  }
  result.coverage = seen.reduce((sum, flag) => sum + flag, 0) / binCount;
  result.missedMeters = BIN_METERS * longestUnseenRun(seen);
  return result;
}

/** Bins in a row that were not seen, around the end of the list, too. */
function longestUnseenRun(seen: Uint8Array): number {
  let [longest, run] = [0, 0];
  for (let bin = 0; bin < 2 * seen.length && longest < seen.length; bin += 1) {
    run = seen[bin % seen.length] === 0 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** At one fix a second a race car goes 100 m; a longer step is a gap, which is not filled in. */
const MAX_FILLED_STEPS = 12;

/** A bin counts as seen when the car passes one of its neighbours, too: steps and bins are not in line. */
function mark(seen: Uint8Array, bin: number): void {
  for (let offset = -2; offset <= 2; offset += 1) seen[(bin + offset + seen.length) % seen.length] = 1;
}

/** A move between two neighbouring sections of the track, such as both sides of a hairpin, is no move along it. */
function signedBinDistance(bins: number, binCount: number): number {
  const around = (((bins % binCount) + binCount + binCount / 2) % binCount) - binCount / 2;
  return Math.abs(around) <= MAX_FILLED_STEPS ? around : 0;
}
