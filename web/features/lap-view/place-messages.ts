import type { Cause, ComparedStretch, StretchLap } from '#contract/lap-view/comparison.ts';

/** A lap in a sentence: its name, and whether it is the viewer's. */
export type Subject = { name: string; isYou: boolean };

const SPEED_WORDS = {
  'start-speed': ['enter at', 'enters at', ''],
  'slowest-speed': ['do', 'does', 'At the slowest point '],
  'end-speed': ['leave at', 'leaves at', ''],
} as const;

/**
 * Describes the one difference that costs or gains the time in a stretch. Its figures are those that the curves of the
 * stretch show: 'You brake 14 m earlier.' or 'At the slowest point you do 107 km/h, Luca 114.'
 */
export function describePlace(
  stretch: ComparedStretch,
  lapIndex: number,
  [reference, other]: readonly [Subject, Subject],
): string {
  const figures = readCause(stretch, lapIndex);
  if (figures === null) return 'No single difference in braking or speed is certain.';
  if (figures.kind === 'braking') {
    const words = `${Math.round(Math.abs(figures.earlierMeters))} m ${figures.earlierMeters > 0 ? 'earlier' : 'later'}`;
    return `${capitalize(other.name)} ${other.isYou ? 'brake' : 'brakes'} ${words}.`;
  }
  const [own, others, before] = SPEED_WORDS[figures.kind];
  const subject = before && other.isYou ? 'you' : before ? lowerLap(other.name) : capitalize(other.name);
  const rival = reference.isYou ? 'you' : lowerLap(reference.name);
  const [kmh, referenceKmh] = [figures.kmh, figures.referenceKmh].map(Math.round);
  return `${before}${subject} ${other.isYou ? own : others} ${kmh} km/h, ${rival} ${referenceKmh}.`;
}

/** The figures of a sentence, with their points on the curves. */
export type CauseFigures =
  | { kind: 'braking'; earlierMeters: number; meters: number; referenceMeters: number }
  | {
      kind: 'start-speed' | 'slowest-speed' | 'end-speed';
      kmh: number;
      meters: number;
      referenceKmh: number;
      referenceMeters: number;
    };

/** Reads the figures of the difference that explains a stretch; null without one, or where it rounds to nothing. */
export function readCause(stretch: ComparedStretch, lapIndex: number): CauseFigures | null {
  const [reference, lap] = [stretch.laps[0], stretch.laps[lapIndex]];
  if (!reference || !lap?.cause) return null;
  return lap.cause.kind === 'braking'
    ? readBraking(lap.cause, lap, reference)
    : readSpeeds(lap.cause.kind, stretch, [reference, lap]);
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
  kind: 'start-speed' | 'slowest-speed' | 'end-speed',
  { startMeters, endMeters }: ComparedStretch,
  [reference, lap]: readonly [StretchLap, StretchLap],
): CauseFigures | null {
  const read = (figures: StretchLap): readonly [number | null, number | null] => {
    if (kind === 'slowest-speed') return [figures.slowestKmh, figures.slowestMeters];
    return kind === 'start-speed' ? [figures.startKmh, startMeters] : [figures.endKmh, endMeters];
  };
  const [[kmh, meters], [referenceKmh, referenceMeters]] = [read(lap), read(reference)];
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
