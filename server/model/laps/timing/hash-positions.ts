import { createHash } from 'node:crypto';
import { at, type FixColumns } from '#engine/fix-columns.ts';

/** Selects the fixes from `first` up to but not including `end`. */
export type FixStretch = { first: number; end: number };

// Seven decimals are a centimetre: finer than any receiver, and coarser than rounding errors of files. 180 degrees fit 32 bits.
const DECIMALS = 7;
const FINEST_PER_DEGREE = 10 ** DECIMALS;
// Fewer positions could match by chance, such as those of a parked car or of a file in whole metres.
const POSITIONS_MIN = 10;
// 128 bits suffice, because hashes of different positions need only avoid collisions by chance.
const HASH_BYTES = 16;

/**
 * Hashes the positions of a recording in their order. Two recordings with the same hash are copies, because no receiver records
 * the same positions twice. The hash ignores times and all other data, so it recognizes a file that was saved again or whose
 * clock was changed. Null where there are too few positions.
 */
export function hashPositions(fixes: FixColumns, { first, end }: FixStretch): string | null {
  const steps = stepsAlong(fixes, finestSteps, { first, count: Math.max(0, end - first), direction: 1 });
  return steps.length < 2 * POSITIONS_MIN ? null : toHex([steps]);
}

function finestSteps(degrees: number): number {
  return Math.round(degrees * FINEST_PER_DEGREE);
}

// Some programs write coordinates with fewer decimals than they read. Four decimals are too coarse to time a lap.
const FEWER_DECIMALS = [6, 5];
// Five decimals are one metre. Two receivers in one car often share such a position, but never so many in a row.
const ROUNDED_POSITIONS_MIN = 30;
// The first and last positions identify a recording. Hashing an hour of 90,000 would take as long as timing its laps.
const ROUNDED_POSITIONS_MAX = 2_000;

/**
 * Hashes the positions of a recording with fewer decimals. Two recordings share a hash if one is a copy of the other with fewer
 * decimals: truncated, or rounded to the nearest, with ties away from zero or by the binary number. All positions must match,
 * so that a second receiver on the same drive is another recording. Empty where there are too few positions.
 */
export function hashRoundedPositions(fixes: FixColumns): string[] {
  const roundings = [
    finestSteps,
    ...FEWER_DECIMALS.flatMap((decimals) => [
      nearest(decimals, awayFromZero),
      nearest(decimals, asWritten),
      cutOff(decimals),
    ]),
  ];
  return [...new Set(roundings.flatMap((toSteps) => hashEnds(fixes, toSteps) ?? []))];
}

function hashEnds(fixes: FixColumns, toSteps: ToSteps): string | null {
  const { length } = fixes;
  const max = ROUNDED_POSITIONS_MAX;
  const beginning = stepsAlong(fixes, toSteps, { first: 0, count: length, direction: 1, max });
  if (beginning.length < 2 * ROUNDED_POSITIONS_MIN) return null;
  return toHex([
    beginning,
    stepsAlong(fixes, toSteps, { first: length - 1, count: length, direction: -1, max }),
  ]);
}

/** Converts degrees to whole steps of the finest rounding. */
type ToSteps = (degrees: number) => number;

/** Selects at most `max` positions of some fixes, in the order of the recording or in reverse. */
type Walk = { first: number; count: number; direction: 1 | -1; max?: number };

function stepsAlong(
  { lats, lons }: FixColumns,
  toSteps: ToSteps,
  { first, count, direction, max = count }: Walk,
): Int32Array {
  const steps = new Int32Array(2 * Math.min(count, max));
  let used = 0;
  for (let walked = 0; walked < count && used < steps.length; walked += 1) {
    const index = first + walked * direction;
    const [lat, lon] = [toSteps(at(lats, index)), toSteps(at(lons, index))];
    // Programs repeat positions differently, so repeated positions count once.
    if (used > 0 && steps[used - 2] === lat && steps[used - 1] === lon) continue;
    steps[used++] = lat;
    steps[used++] = lon;
  }
  return steps.subarray(0, used);
}

function toHex(parts: readonly Int32Array[]): string {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of parts)
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest().subarray(0, HASH_BYTES).toString('base64url');
}

/** Rounds a number midway between two steps to one of them; `above` is the step away from zero. */
type BreakTie = (above: number, size: number, decimals: number) => number;

const awayFromZero: BreakTie = (above) => above;
/** Rounds a tie as languages print it: to the step that is nearer to the binary number. */
const asWritten: BreakTie = (_above, size, decimals) =>
  Math.round(Number(size.toFixed(decimals)) * 10 ** decimals);

// Multiplying by a power of ten has at most this error, as a share of a step.
const TIE_SHARE = 1e-6;

function nearest(decimals: number, breakTie: BreakTie): ToSteps {
  return roundedBy(decimals, (whole, part, size) => {
    if (Math.abs(part - 0.5) < TIE_SHARE) return breakTie(whole + 1, size, decimals);
    return part > 0.5 ? whole + 1 : whole;
  });
}

function cutOff(decimals: number): ToSteps {
  return roundedBy(decimals, (whole, part) => (part > 1 - TIE_SHARE ? whole + 1 : whole));
}

/** Rounds by `choose`, which gets the whole steps of `decimals`, the fraction of a step, and the absolute value. */
function roundedBy(decimals: number, choose: (whole: number, part: number, size: number) => number): ToSteps {
  const stepsPerDegree = 10 ** decimals;
  const finestPerStep = 10 ** (DECIMALS - decimals);
  return (degrees) => {
    const size = Math.abs(degrees);
    const steps = size * stepsPerDegree;
    const whole = Math.floor(steps);
    return Math.sign(degrees) * choose(whole, steps - whole, size) * finestPerStep;
  };
}
