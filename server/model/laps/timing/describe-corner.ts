import type {
  Cause as DescribedCause,
  ComparedStretch,
  DrivenCorner,
} from '#contract/lap-view/comparison.ts';
import type { Cause } from '#engine/comparison/causes.ts';
import type { Corner } from '#engine/comparison/corners.ts';
import type { ComparedStretch as EngineStretch, StretchFigures } from '#engine/comparison/stretch-figures.ts';
import { roundNumber, toKmh } from './round-column.ts';

type NamedCorner = Corner & { name: string | null };

export function describeCorner({ number, name, direction, ...corner }: NamedCorner) {
  return {
    number,
    name,
    direction,
    startMeters: roundNumber(corner.startMeters, 1),
    apexMeters: roundNumber(corner.apexMeters, 1),
    endMeters: roundNumber(corner.endMeters, 1),
  };
}

export function describeCornerFigures(
  figures: StretchFigures,
): Pick<DrivenCorner, 'entryKmh' | 'brakingMeters' | 'minKmh' | 'exitKmh' | 'timeMs'> {
  const { startKmh, slowestKmh, endKmh, brakingMeters, isBrakingClear } = describeFigures(figures);
  return {
    entryKmh: startKmh,
    brakingMeters: isBrakingClear ? brakingMeters : null,
    minKmh: slowestKmh ?? startKmh,
    exitKmh: endKmh,
    timeMs: roundNumber(figures.timeMs, 1),
  };
}

/** Describes stretches. Losses add up to `gapsMs`, differences of stored lap times: sums are rounded, not losses. */
export function describeStretches(
  stretches: readonly EngineStretch[],
  gapsMs: readonly number[],
): ComparedStretch[] {
  const sumsMs = [0, ...gapsMs].map(() => 0);
  return stretches.map(({ kind, number, startMeters, endMeters, laps }, index) => ({
    kind,
    number,
    startMeters: roundNumber(startMeters, 1),
    endMeters: roundNumber(endMeters, 1),
    laps: laps.map((figures, lap) => {
      const beforeMs = sumsMs[lap] ?? 0;
      const sumMs = beforeMs + figures.lostMs;
      sumsMs[lap] = sumMs;
      const isLast = index === stretches.length - 1;
      const endMs = isLast && lap > 0 ? (gapsMs[lap - 1] ?? sumMs) : Math.round(sumMs);
      return {
        ...describeFigures(figures),
        lostMs: endMs - Math.round(beforeMs),
        bandMs: Math.ceil(figures.bandMs),
      };
    }),
  }));
}

function describeFigures(figures: StretchFigures) {
  return {
    startKmh: inKmh(figures.startSpeedMetersPerSecond),
    slowestKmh: orNull(figures.slowestMetersPerSecond, inKmh),
    slowestMeters: orNull(figures.slowestMeters, inMeters),
    endKmh: inKmh(figures.endSpeedMetersPerSecond),
    startDoubtKmh: inKmh(figures.differenceDoubts.startMetersPerSecond),
    slowestDoubtKmh: inKmh(figures.differenceDoubts.slowestMetersPerSecond),
    endDoubtKmh: inKmh(figures.differenceDoubts.endMetersPerSecond),
    brakingMeters: orNull(figures.brakingMeters, inMeters),
    brakingDoubtMeters: inMeters(figures.brakingDoubtMeters),
    isBrakingClear: figures.isBrakingClear,
    brakingEarlierMeters: orNull(figures.brakingEarlierMeters, inMeters),
    cause: figures.cause && describeCause(figures.cause),
  };
}

function describeCause(cause: Cause): DescribedCause {
  return cause.kind === 'braking'
    ? { kind: cause.kind, earlierMeters: inMeters(cause.earlierMeters) }
    : {
        kind: cause.kind,
        slowerKmh: inKmh(cause.slowerMetersPerSecond),
        atMeters: inMeters(cause.atMeters),
      };
}

function orNull(value: number | null, describe: (value: number) => number): number | null {
  return value === null ? null : describe(value);
}

function inMeters(meters: number): number {
  return roundNumber(meters, 1);
}

function inKmh(metersPerSecond: number): number {
  return roundNumber(toKmh(metersPerSecond), 1);
}
