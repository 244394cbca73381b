import type { Cause, ComparedStretch, StretchLap } from '#contract/lap-view/comparison.ts';
import { entry, nearestStation, type Column } from './lap-lines.ts';

/** A lap in a sentence: its name, and whether it is the viewer's. */
export type Subject = { name: string; isYou: boolean };

/** The curves that stand beside a sentence: the speeds of the reference and of the lap along the track. */
export type SpeedCurves = { meters: Column; speedsKmh: readonly [reference: Column, lap: Column] };

const SPEED_WORDS = {
  'start-speed': ['enter at', 'enters at', () => ''],
  'slowest-speed': ['do', 'does', () => 'At the slowest point '],
  'middle-speed': ['do', 'does', (meters: number) => `At ${Math.round(meters)} m `],
  'end-speed': ['leave at', 'leaves at', () => ''],
} as const;

/**
 * Describes the one difference that costs or gains the time in a stretch. Its figures are those that the curves of the
 * stretch show: 'You brake 14 m earlier.' or 'At the slowest point you do 107 km/h, Luca 114.'
 */
export function describePlace(
  stretch: ComparedStretch,
  lapIndex: number,
  [reference, other]: readonly [Subject, Subject],
  curves: SpeedCurves,
): string {
  const figures = readCause(stretch, lapIndex, curves);
  if (figures === null) return 'No single difference in braking or speed is certain.';
  if (figures.kind === 'braking') {
    const words = `${Math.round(Math.abs(figures.earlierMeters))} m ${figures.earlierMeters > 0 ? 'earlier' : 'later'}`;
    return `${capitalize(other.name)} ${other.isYou ? 'brake' : 'brakes'} ${words}.`;
  }
  const [own, others, describePoint] = SPEED_WORDS[figures.kind];
  const before = describePoint(figures.meters);
  const subject = before && other.isYou ? 'you' : before ? lowerLap(other.name) : capitalize(other.name);
  const rival = reference.isYou ? 'you' : lowerLap(reference.name);
  const [kmh, referenceKmh] = [figures.kmh, figures.referenceKmh].map(Math.round);
  return `${before}${subject} ${other.isYou ? own : others} ${kmh} km/h, ${rival} ${referenceKmh}.`;
}

/** The figures of a sentence, with their points on the curves. */
export type CauseFigures =
  | { kind: 'braking'; earlierMeters: number; meters: number; referenceMeters: number }
  | {
      kind: SpeedCause['kind'];
      kmh: number;
      meters: number;
      referenceKmh: number;
      referenceMeters: number;
    };

type SpeedCause = Exclude<Cause, { kind: 'braking' }>;

/** Reads the figures of the difference that explains a stretch; null without one, or where it rounds to nothing. */
export function readCause(
  stretch: ComparedStretch,
  lapIndex: number,
  curves: SpeedCurves,
): CauseFigures | null {
  const [reference, lap] = [stretch.laps[0], stretch.laps[lapIndex]];
  if (!reference || !lap?.cause) return null;
  return lap.cause.kind === 'braking'
    ? readBraking(lap.cause, lap, reference)
    : readSpeeds(lap.cause, stretch, [reference, lap], curves);
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
  { kind, atMeters }: SpeedCause,
  { startMeters, endMeters }: ComparedStretch,
  laps: readonly [reference: StretchLap, lap: StretchLap],
  { meters: along, speedsKmh }: SpeedCurves,
): CauseFigures | null {
  const read = (index: 0 | 1): readonly [number | null, number | null] => {
    const figures = laps[index];
    if (kind === 'slowest-speed') return [figures.slowestKmh, figures.slowestMeters];
    if (kind === 'middle-speed') return [entry(speedsKmh[index], nearestStation(along, atMeters)), atMeters];
    return kind === 'start-speed' ? [figures.startKmh, startMeters] : [figures.endKmh, endMeters];
  };
  const [[referenceKmh, referenceMeters], [kmh, meters]] = [read(0), read(1)];
  if (kmh === null || meters === null || referenceKmh === null || referenceMeters === null) return null;
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
