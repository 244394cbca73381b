import { directionAt, pointAt, type ReferenceLine } from '../comparison/reference-line.ts';
import type { SectorLine } from '../track.ts';
import { HALF_WIDTH_METERS, squareLine } from './place-line.ts';

/** Circuits are usually timed in three sectors. */
const SECTORS = 3;
/** Shorter paths are not worth splitting. */
const LENGTH_MIN_METERS = 300;
/** A sector line may lie this share of a lap away from where it would part the lap evenly. */
const SEARCH_SHARE = 0.08;
const ARM_METERS = 40;
const STEP_METERS = 10;
/** Other pieces of the track begin so far along the lap. */
const OTHER_PIECE_METERS = 100;

/** Returns lines that part a lap in about even sectors, each on the straightest piece nearby that lies clear of the rest of the track. */
export function suggestSectors(line: ReferenceLine): SectorLine[] {
  const lengthMeters = line.endMeters - line.startMeters;
  if (lengthMeters < LENGTH_MIN_METERS) return [];
  return Array.from({ length: SECTORS - 1 }, (_, index): SectorLine => {
    const even = line.startMeters + ((index + 1) / SECTORS) * lengthMeters;
    const meters = straightestNear(line, even, SEARCH_SHARE * lengthMeters);
    return {
      name: `S${index + 1}`,
      ...squareLine(line.plane, pointAt(line, meters), directionAt(line, meters), HALF_WIDTH_METERS),
    };
  });
}

function straightestNear(line: ReferenceLine, even: number, reach: number): number {
  let [best, least] = [even, Number.POSITIVE_INFINITY];
  for (let meters = even - reach; meters <= even + reach; meters += STEP_METERS) {
    const penalty =
      turnAt(line, meters) + 40 * crowdedness(line, meters) + (5 * Math.abs(meters - even)) / reach;
    if (penalty >= least) continue;
    [best, least] = [meters, penalty];
  }
  return best;
}

/** Returns the degrees by which the line turns around a place. */
function turnAt(line: ReferenceLine, meters: number): number {
  const here = directionAt(line, meters);
  const turns = [-ARM_METERS, -ARM_METERS / 2, ARM_METERS / 2, ARM_METERS].map((arm) => {
    const there = directionAt(line, meters + arm);
    return Math.abs(Math.atan2(here.x * there.y - here.y * there.x, here.x * there.x + here.y * there.y));
  });
  return Math.max(...turns) * (180 / Math.PI);
}

/** Returns 1 where another piece of the track would be crossed by a line here, 0 where none is near. */
function crowdedness(line: ReferenceLine, meters: number): number {
  const here = pointAt(line, meters);
  let nearest = Number.POSITIVE_INFINITY;
  for (let other = line.startMeters; other <= line.endMeters; other += STEP_METERS) {
    if (Math.abs(other - meters) < OTHER_PIECE_METERS) continue;
    const there = pointAt(line, other);
    nearest = Math.min(nearest, Math.hypot(there.x - here.x, there.y - here.y));
  }
  return Math.min(1, Math.max(0, 2 - nearest / (1.5 * HALF_WIDTH_METERS)));
}
