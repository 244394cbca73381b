import type { Cause } from '../comparison/causes.ts';
import { findBraking, lowestSpeed, speedAt, type PlainLap } from './plain-lap.ts';

// Checks what a comparison says of a pair of laps against their fixes, with no code of the comparison. The only point that it is given
// is that of a speed on the way, since the sentence names it.

export type PlainPair = readonly [reference: PlainLap, own: PlainLap];

/** Holds what a comparison says of the second of two laps in a stretch. */
export type Claim = {
  cause: Cause;
  startMeters: number;
  endMeters: number;
};

/** Returns whether the fixes of two laps show a cause in its stretch, in its direction and about as large. */
export function isCauseConfirmed(laps: PlainPair, claim: Claim): boolean {
  return claim.cause.kind === 'braking'
    ? isBrakingConfirmed(laps, claim, claim.cause.earlierMeters)
    : isAbout(claim.cause.slowerMetersPerSecond, speedLacking(laps, claim, claim.cause), SPEEDS_ALIKE);
}

/** Two ways to measure the same braking or the same speed differ by so much, or by a third. */
export const METERS_ALIKE = 6;
export const SPEEDS_ALIKE = 0.6;

function isAbout(named: number, found: number, alike: number): boolean {
  return named * found > 0 && Math.abs(named - found) <= Math.max(alike, Math.abs(named) / 3);
}

/** Both laps brake in the stretch, and from the one point to the other the lap that brakes earlier loses more speed. */
export function isBrakingConfirmed(
  [reference, own]: PlainPair,
  { startMeters, endMeters }: Omit<Claim, 'cause'>,
  earlierMeters: number,
): boolean {
  const [first, second] = [reference, own].map((lap) => findBraking(lap, startMeters, endMeters));
  if (first == null || second == null || !isAbout(earlierMeters, first - second, METERS_ALIKE)) return false;
  const [from, to] = [Math.min(first, second) - METERS_ALIKE, Math.max(first, second)];
  const lossOf = (lap: PlainLap): number => speedAt(lap, from) - speedAt(lap, to);
  return earlierMeters * (lossOf(own) - lossOf(reference)) > 0;
}

function speedLacking(
  [reference, own]: PlainPair,
  { startMeters, endMeters }: Claim,
  cause: Exclude<Cause, { kind: 'braking' }>,
): number {
  const lackAt = (place: number): number => speedAt(reference, place) - speedAt(own, place);
  if (cause.kind === 'start-speed') return lackAt(startMeters);
  if (cause.kind === 'end-speed') return lackAt(endMeters);
  if (cause.kind === 'middle-speed') return lackAt(cause.atMeters);
  return lowestSpeed(reference, startMeters, endMeters) - lowestSpeed(own, startMeters, endMeters);
}
