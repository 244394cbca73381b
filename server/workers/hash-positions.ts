import { createHash } from 'node:crypto';
import { at, type FixColumns } from '#engine/fix-columns.ts';

/** Fixes from `first` up to `end`, which is not one of them. */
export type FixStretch = { first: number; end: number };

// A centimetre: finer than any receiver, coarser than what is lost between writing and reading. 180 degrees fit 32 bits.
const STEPS_PER_DEGREE = 10_000_000;
// Fewer could agree by chance, in a car that stands or a file of whole metres.
const POSITIONS_MIN = 10;
// Positions agree by chance never, and on purpose only with a file that was copied: 128 bits tell more than enough apart.
const HASH_BYTES = 16;

/**
 * A text that two recordings share only when their positions are the same one after the other: no receiver ever sees the same
 * way twice. Neither times nor anything else in the file counts, so that a file that was saved anew, or whose clock was
 * changed, is still known. Null where there are too few positions to tell.
 */
export function hashPositions({ lats, lons }: FixColumns, { first, end }: FixStretch): string | null {
  const steps = new Int32Array(2 * Math.max(0, end - first));
  let used = 0;
  for (let index = first; index < end; index += 1) {
    const [lat, lon] = [toSteps(at(lats, index)), toSteps(at(lons, index))];
    // How often a position is repeated says how the file was written, not where the car was.
    if (used > 0 && steps[used - 2] === lat && steps[used - 1] === lon) continue;
    steps[used++] = lat;
    steps[used++] = lon;
  }
  if (used < 2 * POSITIONS_MIN) return null;
  const bytes = new Uint8Array(steps.buffer, 0, used * Int32Array.BYTES_PER_ELEMENT);
  return createHash('sha256').update(bytes).digest().subarray(0, HASH_BYTES).toString('base64url');
}

function toSteps(degrees: number): number {
  return Math.round(degrees * STEPS_PER_DEGREE);
}
