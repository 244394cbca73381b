import { at, type FixColumns } from '../fix-columns.ts';
import { COARSE_DECIMALS } from '../trace/coordinate-decimals.ts';
import type { Trace } from '../trace/trace.ts';

/** A stretch of a trace, first and last fix included. */
export type FixRange = { first: number; last: number };

/**
 * Returns for every stretch the share of its fixes, 0 to 1, that occur once more elsewhere in the trace with all of the
 * fixes after them, digit for digit. No car drives the same line twice so exactly, and no receiver would measure it so.
 * Coordinates of four decimals repeat in every lap, so that the times between the fixes have to repeat as well.
 */
export function repeatedShares(
  { fixes, intervalMs }: Trace,
  stretches: readonly FixRange[],
  decimals: number,
): number[] {
  const isCoarse = decimals <= COARSE_DECIMALS;
  const run = Math.max(isCoarse ? COARSE_RUN_MIN : RUN_MIN, Math.round(RUN_MS / (intervalMs ?? RUN_MS)));
  const sampled = sampledFixes(fixes, fixes.length - run);
  const twins = findRepeats(fixes, sampled, { run, isCoarse });
  return stretches.map(({ first, last }) => {
    const isWithin = (index: number): boolean => index >= first && index <= last;
    const count = twins.size === 0 ? 0 : sampled.filter(isWithin).length;
    return count === 0 ? 0 : [...twins].filter(isWithin).length / count;
  });
}

/** Describes how many fixes in a row must be the same, and whether their times count. */
type RunKind = { run: number; isCoarse: boolean };

/** Finds those of the sampled fixes that begin a run of fixes which occurs twice. */
function findRepeats(fixes: FixColumns, sampled: readonly number[], kind: RunKind): Set<number> {
  const places = new Map<number, number>();
  const twins = new Set<number>();
  for (const index of sampled) {
    const key = positionKey(fixes, index);
    const other = places.get(key);
    if (other !== undefined && other + kind.run < index && isSameRun(fixes, other, index, kind)) {
      twins.add(other).add(index);
    } else places.set(key, index);
  }
  return twins;
}

/** With coordinates of five decimals, some fixes in a row agree by chance; so many do not. */
const RUN_MIN = 6;
const RUN_MS = 1200;
const COARSE_RUN_MIN = 12;
const SAME_STEP_MS = 0.01;
/** So many samples are enough to see that laps repeat. */
const SAMPLES_MAX = 3000;

/** Returns some of the fixes, chosen by where they are: the same places are sampled wherever they occur, so that twins meet. */
function sampledFixes(fixes: FixColumns, end: number): number[] {
  const below = KEYS * Math.min(1, SAMPLES_MAX / fixes.length);
  const sampled: number[] = [];
  for (let index = 0; index < end; index += 1) {
    if (positionKey(fixes, index) < below) sampled.push(index);
  }
  return sampled;
}

const KEYS = 2 ** 32;

/** Returns coordinates down to a centimetre in one whole number, evenly spread over all of 32 bits. */
function positionKey({ lats, lons }: FixColumns, index: number): number {
  const lat = (at(lats, index) * 1e7) | 0;
  const lon = (at(lons, index) * 1e7) | 0;
  return (Math.imul(lat, 0x9e3779b1) ^ Math.imul(lon, 0x85ebca6b)) >>> 0;
}

function isSameRun(
  { timesMs, lats, lons }: FixColumns,
  one: number,
  other: number,
  { run, isCoarse }: RunKind,
): boolean {
  const shiftMs = at(timesMs, other) - at(timesMs, one);
  for (let offset = 0; offset <= run; offset += 1) {
    if (at(lats, one + offset) !== at(lats, other + offset)) return false;
    if (at(lons, one + offset) !== at(lons, other + offset)) return false;
    const isInTime =
      Math.abs(at(timesMs, other + offset) - at(timesMs, one + offset) - shiftMs) < SAME_STEP_MS;
    if (isCoarse && !isInTime) return false;
  }
  return true;
}
