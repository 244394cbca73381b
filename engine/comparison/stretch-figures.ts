import { at } from '../fix-columns.ts';
import { DEVIATIONS_OF_95_PERCENT } from '../timing/uncertainty.ts';
import type { BrakingZone } from './braking.ts';
import { explainLoss, type Cause } from './causes.ts';
import { holeMsAt } from '../trace/holes.ts';
import { bandBetween, type GapSources } from './gap-uncertainty.ts';
import { speedDeviationAt, type LapMotion } from './lap-motion.ts';
import {
  compareBraking,
  gapAt,
  slowestDoubt,
  speedDoubt,
  unseenDip,
  type StretchView,
} from './stretch-view.ts';
import type { Stretch } from './stretches.ts';

/** Describes how a lap drove through a stretch. Speeds are those of the lap's column, so that a chart of it shows them. */
export type StretchFigures = {
  startSpeedMetersPerSecond: number;
  endSpeedMetersPerSecond: number;
  /** The lowest speed in a corner and where it is, in metres from the start/finish line; null on straights. */
  slowestMetersPerSecond: number | null;
  slowestMeters: number | null;
  /** The point where braking for the corner begins, in metres from the start/finish line; null where the lap does not brake for it, and on straights. */
  brakingMeters: number | null;
  /** False where the point is uncertain by more than 20 m, the lap loses speed shortly before as well, or it brakes as hard elsewhere for the same corner. */
  isBrakingClear: boolean;
  /** Half widths of the 95 % intervals of the braking point and of the lowest speed; those of the other speeds are no wider. */
  brakingDoubtMeters: number;
  speedDoubtMetersPerSecond: number;
  /**
   * Distance by which it brakes earlier than the reference lap, below zero later; null where one of them does not
   * brake, where the difference is no larger than its doubt, or where the speeds show nothing of it.
   */
  brakingEarlierMeters: number | null;
  timeMs: number;
  /** Time lost on the reference lap, with the half width of its 95 % interval; both 0 for the reference lap itself. */
  lostMs: number;
  bandMs: number;
  /** The one difference that explains most of the time lost or gained; null where none is certain, and for the reference lap. */
  cause: Cause | null;
  /** Half widths of the 95 % intervals of the differences between its speeds and those of the reference lap. */
  differenceDoubts: {
    startMetersPerSecond: number;
    slowestMetersPerSecond: number;
    endMetersPerSecond: number;
  };
};

/** Describes a stretch of the track and how every lap drove through it, the reference lap first. */
export type ComparedStretch = {
  kind: Stretch['kind'];
  number: number;
  /** Distances from the start/finish line: entries of the column `meters`. */
  startMeters: number;
  endMeters: number;
  laps: StretchFigures[];
};

/** Compares all laps in all stretches. The sources are those of the gaps of the other laps. */
export function compareStretches(
  stretches: readonly Stretch[],
  zones: readonly (BrakingZone | null)[],
  motions: readonly LapMotion[],
  { meters, sources }: { meters: Float64Array; sources: readonly GapSources[] },
): ComparedStretch[] {
  return stretches.map((stretch) => {
    const { kind, number, startStation, endStation } = stretch;
    const zone = kind === 'corner' ? zones[number - 1] : null;
    const views = motions.map((motion, lap): StretchView => {
      const braking = zone?.laps[lap] ?? null;
      // Two corners without a straight between them: the braking may have begun in the corner before.
      const isWithin = braking !== null && braking.startMeters >= at(meters, startStation);
      return {
        meters,
        stretch,
        motion,
        slowestStation: findSlowest(motion, stretch),
        braking: isWithin ? braking : null,
      };
    });
    const [reference] = views;
    return {
      kind,
      number,
      startMeters: at(meters, startStation),
      endMeters: at(meters, endStation),
      laps: views.map((view, lap) => ({
        ...figuresOf(view),
        ...(reference === undefined ? ALONE : against(reference, view, sources[lap - 1])),
      })),
    };
  });
}

type Losses = Pick<
  StretchFigures,
  'brakingEarlierMeters' | 'lostMs' | 'bandMs' | 'cause' | 'differenceDoubts'
>;

const ALONE: Losses = {
  brakingEarlierMeters: null,
  lostMs: 0,
  bandMs: 0,
  cause: null,
  differenceDoubts: { startMetersPerSecond: 0, slowestMetersPerSecond: 0, endMetersPerSecond: 0 },
};

function findSlowest({ lap }: LapMotion, { startStation, endStation }: Stretch): number {
  let slowest = startStation;
  for (let station = startStation; station <= endStation; station += 1)
    if (at(lap.speedsMetersPerSecond, station) < at(lap.speedsMetersPerSecond, slowest)) slowest = station;
  return slowest;
}

function figuresOf({
  meters,
  stretch,
  motion,
  slowestStation,
  braking,
}: StretchView): Omit<StretchFigures, keyof Losses> {
  const { speedsMetersPerSecond, elapsedMs } = motion.lap;
  const isCorner = stretch.kind === 'corner';
  const deviations = [stretch.startStation, slowestStation, stretch.endStation].map((station) =>
    speedDeviationAt(motion, station),
  );
  return {
    startSpeedMetersPerSecond: at(speedsMetersPerSecond, stretch.startStation),
    endSpeedMetersPerSecond: at(speedsMetersPerSecond, stretch.endStation),
    slowestMetersPerSecond: isCorner ? at(speedsMetersPerSecond, slowestStation) : null,
    slowestMeters: isCorner ? at(meters, slowestStation) : null,
    brakingMeters: braking?.startMeters ?? null,
    isBrakingClear: braking?.isClear ?? true,
    brakingDoubtMeters: DEVIATIONS_OF_95_PERCENT * (braking?.deviationMeters ?? 0),
    speedDoubtMetersPerSecond: Math.hypot(
      DEVIATIONS_OF_95_PERCENT * Math.max(...deviations),
      isCorner ? unseenDip({ motion, slowestStation }) : 0,
    ),
    timeMs: at(elapsedMs, stretch.endStation) - at(elapsedMs, stretch.startStation),
  };
}

function against(reference: StretchView, own: StretchView, source: GapSources | undefined): Losses {
  if (source === undefined) return ALONE;
  const { startStation, endStation } = own.stretch;
  const lostMs = gapAt(reference, own, endStation) - gapAt(reference, own, startStation);
  const bandMs = bandBetween(source, startStation, endStation);
  const isSeen = [reference, own].every(isSeenThroughout);
  const brakingEarlierMeters = isSeen ? compareBraking(reference, own) : null;
  const isCertain = isSeen && Math.abs(lostMs) > bandMs;
  return {
    brakingEarlierMeters,
    lostMs,
    bandMs,
    cause: isCertain ? explainLoss(reference, own, lostMs, brakingEarlierMeters) : null,
    differenceDoubts: {
      startMetersPerSecond: speedDoubt(reference, own, [startStation, startStation]),
      slowestMetersPerSecond: slowestDoubt(reference, own),
      endMetersPerSecond: speedDoubt(reference, own, [endStation, endStation]),
    },
  };
}

/** Within a hole a car may brake and turn in unseen: no figure of a stretch with one says why time was lost. */
function isSeenThroughout({ motion: { lap }, stretch: { startStation, endStation } }: StretchView): boolean {
  const leastMs = holeMsAt(lap.traced.trace.intervalMs);
  return lap.intervalsMs.subarray(startStation, endStation + 1).every((intervalMs) => intervalMs < leastMs);
}
