import type { LapView } from '#contract/lap-view/schemas.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { formatLength, pluralize, roundLength } from '#web/ui/format.ts';

// The names of stretches, and the words of a comparison; place-messages.ts has the sentences about places to gain.

/** Returns the name of a corner, or its number if it has no name. */
export function cornerTitle(number: number, name: string | null): string {
  return name ?? `Turn ${number}`;
}

type NamedCorner = { number: number; name: string | null };

/** Returns the title of a stretch: 'Turn 5', 'Straight to Turn 5', 'Line to Turn 1' or 'Turn 11 to line'. */
export function stretchTitle(
  { kind, number }: { kind: 'straight' | 'corner'; number: number },
  corners: readonly NamedCorner[],
): string {
  const titleOf = (wanted: number) =>
    cornerTitle(wanted, corners.find((corner) => corner.number === wanted)?.name ?? null);
  if (kind === 'corner') return titleOf(number);
  if (corners.length === 0) return 'Line to line';
  if (number === 1) return `Line to ${titleOf(1)}`;
  return number > corners.length ? `${titleOf(corners.length)} to line` : `Straight to ${titleOf(number)}`;
}

type LinkedLap = Pick<LapView, 'lapId' | 'status' | 'record' | 'ownBest'>;

/** Finds the lap whose gap stands beside a single one: the record, else the viewer's best. An out lap, or one that left the track, has none. */
export function findGap({ lapId, record, ownBest, ...lap }: LinkedLap) {
  if (!isRanking(lap)) return null;
  if (record && record.lapId !== lapId) return { link: record, words: 'to the record' };
  return ownBest && ownBest.lapId !== lapId ? { link: ownBest, words: 'to your best' } : null;
}

/** Says how often a receiver gives a position: '10 positions a second', or 'a position every 3 seconds'. */
export function describeRate(rateHz: number): string {
  if (rateHz >= 0.75) return `${pluralize(Math.round(rateHz), 'position')} a second`;
  return `a position every ${Math.max(2, Math.round(1 / rateHz))} seconds`;
}

/** The message if a lap loses no certain time in any stretch. */
export const NO_CERTAIN_LOSS = 'No straight and no corner costs a time that is certain.';

/**
 * Describes the constant offset between the receivers of two recordings, which the gap leaves out; null if it is too
 * small to mention.
 */
export function describeOffset({ east, north }: { east: number; north: number }): string | null {
  const meters = Math.hypot(east, north);
  return meters < 0.05
    ? null
    : `The GPS positions of the two files are ${formatLength(meters, 1)} apart, which is corrected.`;
}

type BrakingPoint = { brakingMeters: number | null; brakingDoubtMeters: number; isBrakingClear: boolean };

/** Braking points that differ by less are the same to a driver. */
const BRAKING_ALIKE_METERS = 5;

/** Returns how much earlier a lap certainly brakes than the reference, below zero later; null where it does not, or by less than the reader's unit. */
export function readBrakingEarlier({
  brakingEarlierMeters: meters,
}: {
  brakingEarlierMeters: number | null;
}): number | null {
  return meters === null || roundLength(Math.abs(meters)) === 0 ? null : meters;
}

/**
 * Compares a braking point with that of the reference: '14 m earlier', 'alike' if they differ by little for certain, 'unclear' if
 * that is open, or a dash if one of the laps does not brake.
 */
export function describeBraking(
  lap: BrakingPoint & { brakingEarlierMeters: number | null },
  reference: BrakingPoint,
): string {
  if (lap.brakingMeters === null || reference.brakingMeters === null) return '—';
  const earlier = readBrakingEarlier(lap);
  if (earlier !== null) return `${formatLength(Math.abs(earlier))} ${earlier > 0 ? 'earlier' : 'later'}`;
  const doubt = Math.hypot(lap.brakingDoubtMeters, reference.brakingDoubtMeters);
  const most = Math.max(doubt, Math.abs(lap.brakingMeters - reference.brakingMeters));
  return lap.isBrakingClear && reference.isBrakingClear && most < BRAKING_ALIKE_METERS ? 'alike' : 'unclear';
}
