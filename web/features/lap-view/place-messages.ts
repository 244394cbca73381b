import type { Cause, ComparedStretch, StretchLap } from '#contract/lap-view/comparison.ts';
import { formatLength, formatSpeed, roundLength, roundSpeed } from '#web/ui/format.ts';
import { readBrakingEarlier } from './comparison-messages.ts';
import { entry, nearestStation, type Column } from './lap-lines.ts';

/** A lap in a sentence: its name, and whether it is the viewer's. */
export type Subject = { name: string; isYou: boolean };

/** A stretch between the corner or the line before it and the finish line or another stretch after it. */
export type PlacedStretch = {
  kind: ComparedStretch['kind'];
  /** The title of the stretch before; null at the start/finish line. */
  before: string | null;
  /** Ends at the finish line. */
  isLast: boolean;
};

/**
 * Describes the one difference that costs or gains the time in a stretch. Its figures are those that the curves of the
 * stretch show: 'You brake 14 m earlier.' or 'At the slowest point you do 107 km/h, Luca 114.'
 */
export function describePlace(
  figures: CauseFigures | null,
  stretch: PlacedStretch,
  [reference, other]: readonly [Subject, Subject],
): string {
  if (figures === null) return 'No single difference in braking or speed explains it.';
  if (figures.kind === 'braking') return describeBraking(figures, other);
  const { point = '', verb, place = '' } = describeSpeedAt(figures, stretch);
  const subject = point && other.isYou ? 'you' : point ? lowerLap(other.name) : capitalize(other.name);
  const rival = reference.isYou ? 'you' : lowerLap(reference.name);
  const [own, others] = VERBS[verb];
  const isMoving = verb !== 'do';
  const words = `${point}${subject} ${other.isYou ? own : others} ${place}${isMoving ? 'at ' : ''}${formatSpeed(figures.kmh)}`;
  return `${words}, ${rival} ${isMoving ? 'at ' : ''}${roundSpeed(figures.referenceKmh)}.`;
}

function describeBraking({ earlierMeters }: { earlierMeters: number }, { name, isYou }: Subject): string {
  const words = `${formatLength(Math.abs(earlierMeters))} ${earlierMeters > 0 ? 'earlier' : 'later'}`;
  return `${capitalize(name)} ${isYou ? 'brake' : 'brakes'} ${words}.`;
}

const VERBS = {
  do: ['do', 'does'],
  enter: ['enter', 'enters'],
  leave: ['leave', 'leaves'],
  cross: ['cross', 'crosses'],
} as const;

type SpeedWords = { point?: string; verb: keyof typeof VERBS; place?: string };

/** Says where a speed is: a car leaves the corner before a straight, enters and leaves a corner, and crosses the line. */
function describeSpeedAt(
  figures: Exclude<CauseFigures, { kind: 'braking' }>,
  { kind, before, isLast }: PlacedStretch,
): SpeedWords {
  if (figures.kind === 'slowest-speed') return { point: 'At the slowest point ', verb: 'do' };
  if (figures.kind === 'middle-speed') return { point: `At ${formatLength(figures.meters)} `, verb: 'do' };
  if (figures.kind === 'start-speed') {
    if (before === null) return { verb: 'cross', place: 'the line ' };
    return kind === 'corner' ? { verb: 'enter' } : { verb: 'leave', place: `${before} ` };
  }
  if (isLast) return { verb: 'cross', place: 'the line ' };
  return kind === 'corner' ? { verb: 'leave' } : { point: 'At the end of the straight ', verb: 'do' };
}

type SpeedKind = Exclude<Cause['kind'], 'braking'>;

/** The figures of a sentence, with their points on the curves. */
export type CauseFigures =
  | { kind: 'braking'; earlierMeters: number; meters: number; referenceMeters: number }
  | {
      kind: SpeedKind;
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

/** The braking points of both laps, and their distance where a table or a sentence says it. */
export type BrakingPoints = { meters: number; referenceMeters: number; apartMeters: number | null };

/** Reads where two laps brake for the same corner; null where that is not clear, or one of them does not. */
export function readBrakingPoints(
  stretch: ComparedStretch,
  lapIndex: number,
  cause: CauseFigures | null,
): BrakingPoints | null {
  if (cause?.kind === 'braking') return { ...cause, apartMeters: Math.abs(cause.earlierMeters) };
  const [reference, lap] = [stretch.laps[0], stretch.laps[lapIndex]];
  if (!reference?.isBrakingClear || !lap?.isBrakingClear) return null;
  const { brakingMeters } = lap;
  if (reference.brakingMeters === null || brakingMeters === null) return null;
  const earlierMeters = readBrakingEarlier(lap);
  return {
    meters: brakingMeters,
    referenceMeters: reference.brakingMeters,
    apartMeters: earlierMeters === null ? null : Math.abs(earlierMeters),
  };
}

function readBraking(
  { earlierMeters }: Extract<Cause, { kind: 'braking' }>,
  { brakingMeters }: StretchLap,
  reference: StretchLap,
): CauseFigures | null {
  if (
    brakingMeters === null ||
    reference.brakingMeters === null ||
    roundLength(Math.abs(earlierMeters)) === 0
  )
    return null;
  return {
    kind: 'braking',
    earlierMeters,
    meters: brakingMeters,
    referenceMeters: reference.brakingMeters,
  };
}

function readSpeeds(
  kind: SpeedKind,
  [referenceMeters = null, meters = null]: readonly (number | null)[],
  curves: SpeedCurves,
): CauseFigures | null {
  if (meters === null || referenceMeters === null) return null;
  const [reference, other] = curves.speedsKmh;
  const kmh = entry(other, nearestStation(curves.meters, meters));
  const referenceKmh = entry(reference, nearestStation(curves.meters, referenceMeters));
  if (roundSpeed(kmh) === roundSpeed(referenceKmh)) return null;
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
