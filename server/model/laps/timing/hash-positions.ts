import { createHash } from 'node:crypto';
import { at, type FixColumns } from '#engine/fix-columns.ts';

/** Fixes from `first` up to `end`, which is not one of them. */
export type FixStretch = { first: number; end: number };

// A centimetre: finer than any receiver, coarser than what is lost between writing and reading. 180 degrees fit 32 bits.
const DECIMALS = 7;
const FINEST_PER_DEGREE = 10 ** DECIMALS;
// Fewer could agree by chance, in a parked car or a file of whole metres.
const POSITIONS_MIN = 10;
// Positions agree by chance never, and on purpose only with a file that was copied: 128 bits tell more than enough apart.
const HASH_BYTES = 16;

/**
 * A text that two recordings share only when their positions are the same one after the other: no receiver ever sees the same
 * way twice. Neither times nor anything else in the file counts, so that a file that was saved again, or whose clock was
 * changed, is still known. Null where there are too few positions to tell.
 */
export function hashPositions(fixes: FixColumns, { first, end }: FixStretch): string | null {
  const steps = stepsAlong(fixes, finestSteps, { first, count: Math.max(0, end - first), direction: 1 });
  return steps.length < 2 * POSITIONS_MIN ? null : toHex([steps]);
}

function finestSteps(degrees: number): number {
  return Math.round(degrees * FINEST_PER_DEGREE);
}

// As programs write coordinates with fewer decimals than they have read; with four, no lap can be timed.
const FEWER_DECIMALS = [6, 5];
// At five decimals a position is a field of one metre, which two receivers in one car often share; so many in a row they never do.
const ROUNDED_POSITIONS_MIN = 30;
// From either end of a recording, which is enough to know it: an hour has 90,000 and would cost as much time as its laps.
const ROUNDED_POSITIONS_MAX = 2_000;

/**
 * Texts of which two recordings share one where the positions of one are those of the other written with fewer decimals: to the
 * nearest, which of two alike is the one away from zero or the one that the binary number is nearer to, or cut off. Every
 * single one has to agree, so that another receiver on the same drive is another recording. Empty where there are too few.
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

/** Degrees in whole steps of the finest rounding. */
type ToSteps = (degrees: number) => number;

/** Some fixes, in the order of the recording or against it; `max` positions of them at most. */
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
    // How often a position is repeated says how the file was written, not where the car was.
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

/** Which of two steps a number in the middle of them comes to: `above` is the one away from zero. */
type BreakTie = (above: number, size: number, decimals: number) => number;

const awayFromZero: BreakTie = (above) => above;
/** Decimal numbers are hardly ever exact in binary: languages print what the binary number is nearer to. */
const asWritten: BreakTie = (_above, size, decimals) =>
  Math.round(Number(size.toFixed(decimals)) * 10 ** decimals);

// What multiplying by a power of ten may add or take away, as a share of a step.
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

/** `choose` gets the size of a number in steps of `decimals`, whole ones and the part that is left, and the size itself. */
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
