import type { Cause, ComparedStretch, StretchLap } from '#contract/lap-view/comparison.ts';
import { formatCount } from '#web/ui/format.ts';
import { entry, nearestStation, type Column } from './lap-lines.ts';

/** A lap in a sentence: its name, and whether it is the viewer's. */
export type Subject = { name: string; isYou: boolean };

const SPEED_VERBS = {
  'start-speed': ['enter at', 'enters at'],
  'slowest-speed': ['do', 'does'],
  'middle-speed': ['do', 'does'],
  'end-speed': ['leave at', 'leaves at'],
} as const;

/**
 * Describes the one difference that costs or gains the time in a stretch. Its figures are those that the curves of the
 * stretch show: 'You brake 14 m earlier.' or 'At the slowest point you do 107 km/h, Luca 114.'
 */
export function describePlace(
  figures: CauseFigures | null,
  [reference, other]: readonly [Subject, Subject],
): string {
  if (figures === null) return 'No single difference in braking or speed is certain.';
  if (figures.kind === 'braking') {
    const words = `${Math.round(Math.abs(figures.earlierMeters))} m ${figures.earlierMeters > 0 ? 'earlier' : 'later'}`;
    return `${capitalize(other.name)} ${other.isYou ? 'brake' : 'brakes'} ${words}.`;
  }
  const [own, others] = SPEED_VERBS[figures.kind];
  const before = describePoint(figures);
  const subject = before && other.isYou ? 'you' : before ? lowerLap(other.name) : capitalize(other.name);
  const rival = reference.isYou ? 'you' : lowerLap(reference.name);
  const [kmh, referenceKmh] = [figures.kmh, figures.referenceKmh].map(Math.round);
  return `${before}${subject} ${other.isYou ? own : others} ${kmh} km/h, ${rival} ${referenceKmh}.`;
}

/** The figures of a sentence, with their points on the curves. */
export type CauseFigures =
  | { kind: 'braking'; earlierMeters: number; meters: number; referenceMeters: number }
  | {
      kind: keyof typeof SPEED_VERBS;
      kmh: number;
      meters: number;
      referenceKmh: number;
      referenceMeters: number;
    };

/** Holds the speeds of both laps at the stations of a comparison. */
export type SpeedCurves = { meters: Column; speedsKmh: readonly [reference: Column, other: Column] };

/** Reads the figures of the difference that explains a stretch; null without one, or where it rounds to nothing. */
export function readCause(
  stretch: ComparedStretch,
  lapIndex: number,
  curves: SpeedCurves,
): CauseFigures | null {
  const [reference, lap] = [stretch.laps[0], stretch.laps[lapIndex]];
  if (!reference || !lap?.cause) return null;
  if (lap.cause.kind === 'braking') return readBraking(lap.cause, lap, reference);
  const points =
    lap.cause.kind === 'slowest-speed'
      ? [reference.slowestMeters, lap.slowestMeters]
      : [lap.cause.atMeters, lap.cause.atMeters];
  return readSpeeds(lap.cause.kind, points, curves);
}

/** Says where a speed is that is neither at the start nor at the end. */
function describePoint(figures: Exclude<CauseFigures, { kind: 'braking' }>): string {
  if (figures.kind === 'slowest-speed') return 'At the slowest point ';
  return figures.kind === 'middle-speed' ? `At ${formatCount(Math.round(figures.meters))} m ` : '';
}

function readBraking(
  { earlierMeters }: Extract<Cause, { kind: 'braking' }>,
  { brakingMeters }: StretchLap,
  reference: StretchLap,
): CauseFigures | null {
  if (brakingMeters === null || reference.brakingMeters === null || Math.abs(earlierMeters) < 0.5)
    return null;
  return {
    kind: 'braking',
    earlierMeters,
    meters: brakingMeters,
    referenceMeters: reference.brakingMeters,
  };
}

function readSpeeds(
  kind: keyof typeof SPEED_VERBS,
  [referenceMeters = null, meters = null]: readonly (number | null)[],
  curves: SpeedCurves,
): CauseFigures | null {
  if (meters === null || referenceMeters === null) return null;
  const [reference, other] = curves.speedsKmh;
  const kmh = entry(other, nearestStation(curves.meters, meters));
  const referenceKmh = entry(reference, nearestStation(curves.meters, referenceMeters));
  if (Math.round(kmh) === Math.round(referenceKmh)) return null;
  return { kind, kmh, meters, referenceKmh, referenceMeters };
}

function capitalize(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** Writes 'Lap 9' as 'lap 9' within a sentence, and 'Record' as 'the record'; names of drivers stay. */
export function lowerLap(name: string): string {
  return name
    .replace(/^Lap (?=\d)/, 'lap ')
    .replace(/^(This lap|Your best)$/, (words) => words.toLowerCase())
    .replace(/^Record$/, 'the record');
}
