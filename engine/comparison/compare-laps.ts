import { at } from '../fix-columns.ts';
import { toPosition, type PlanePoint } from '../geo.ts';
import { lineOfLap } from './build-reference-line.ts';
import { findBrakingZones } from './braking.ts';
import type { Corner } from './corners.ts';
import { findCornersOfTrack } from './corners-of-track.ts';
import { gapBands, type GapSources } from './gap-uncertainty.ts';
import { driveAlong, type LapAtStations } from './lap-at-stations.ts';
import { lapPath, type LapPath } from './lap-path.ts';
import { measureMotion } from './lap-motion.ts';
import type { TracedLap } from './lap-trace.ts';
import type { TrackOutline } from './line-of-outline.ts';
import { nameCorners, type CornerName } from './name-corners.ts';
import { isOnLine, projectOnto, reachesBothEnds, type Projection } from './projection.ts';
import { estimateOffset, type ReceiverOffset } from './receiver-offset.ts';
import { pointAt, type ReferenceLine } from './reference-line.ts';
import { compareStretches, type ComparedStretch } from './stretch-figures.ts';
import { cutIntoStretches } from './stretches.ts';

/** Describes laps compared position by position: one entry per station along the track; all columns are equally long. */
export type LapComparison = {
  /** Distance along the reference line, from 0 at the start/finish line up to its length. */
  meters: Float64Array;
  /** The stations on the reference line. */
  lats: Float64Array;
  lons: Float64Array;
  reference: LapColumns;
  /** The other laps, in the order given. */
  laps: ComparedLap[];
  /** The corners of the track in driving order. */
  corners: (Corner & { name: string | null })[];
  /** Straights and corners in driving order, without gap or overlap: the times lost in all of them add up to the gap at the end. */
  stretches: ComparedStretch[];
};

/** Describes one lap at every station. */
export type LapColumns = {
  /** Time since the start of the lap: 0 at the first station, the lap time at the last. */
  elapsedMs: Float64Array;
  speedsMetersPerSecond: Float64Array;
};

/** Describes a lap in comparison with the reference lap. */
export type ComparedLap = LapColumns & {
  /**
   * Time by which this lap comes by later than the reference lap, each counted from its start: above zero it is behind.
   * 0 at the first station, the difference of the lap times at the last.
   */
  gapMs: Float64Array;
  /** Half width of the 95 % interval of the gap. */
  bandMs: Float64Array;
  /** Constant distance of its positions from those of the reference lap; taken out before comparing. Zero for laps of one recording. */
  offsetMeters: { east: number; north: number };
};

/** Describes a lap to compare with the reference lap. */
export type OtherLap = TracedLap & {
  /** True for a lap of the same recording as the reference lap: the receiver is the same, so that there is no offset to take out. */
  isSameRecording: boolean;
};

/** Says along which line laps are compared, and how finely. */
export type ComparisonOptions = {
  /** The line of the track (`lineOfLaps`); without it that of the reference lap. */
  line?: ReferenceLine | undefined;
  /** Has the corners, where it has an outline that leads along the line; else those of the line are taken. */
  track?: TrackOutline | null;
  /** Distance between two stations; 5 by default, or more along lines that would have over 2,000 stations. */
  stepMeters?: number;
  cornerNames?: readonly CornerName[];
};

const STEP_METERS = 5;
const STATIONS_MAX = 2000;
const NO_SHIFT = { x: 0, y: 0 };

/**
 * Compares laps of one track with a reference lap by where the cars were, not by how far they had gone: a wide line in one corner does not spoil the
 * rest of the lap. Across recordings the constant offset between two receivers is estimated and taken out. Null where one of the laps was
 * not driven all along the line, or has too few positions.
 */
export function compareLaps(
  reference: TracedLap,
  others: readonly OtherLap[],
  options: ComparisonOptions = {},
): LapComparison | null {
  const placed = placeReference(reference, options);
  if (placed === null) return null;
  const { line, first, stations, driven } = placed;
  const sources: GapSources[] = [];
  const laps: ComparedLap[] = [];
  for (const other of others) {
    const aligned = alignToLap(line, other, first);
    if (aligned === null) return null;
    const lap = driveAlong(stations, aligned, other);
    const source = { line, stations, laps: [driven, lap] as const, offset: aligned.covariance };
    sources.push(source);
    laps.push({ ...toColumns(lap), ...measureGap(source), offsetMeters: between(first, aligned) });
  }
  const meters = stations.map((station) => station - line.startMeters);
  const corners = findCornersOfTrack(line, options.track ?? null);
  const motions = [driven, ...sources.map((source) => source.laps[1])].map(measureMotion);
  const zones = findBrakingZones(corners, meters, motions);
  const cut = cutIntoStretches(corners, zones, meters, motions);
  return {
    meters,
    ...positionsOn(line, stations),
    reference: toColumns(driven),
    laps,
    corners: nameCorners(corners, line, options.cornerNames ?? []),
    stretches: compareStretches(cut, zones, motions, { meters, sources }),
  };
}

/** Describes the reference lap on the line along which others are compared with it. */
export type PlacedReference = {
  line: ReferenceLine;
  first: AlignedLap;
  /** Distances from the first point of the line, in metres. */
  stations: Float64Array;
  driven: LapAtStations;
};

/** Places the reference lap on the line; null where it was not driven all along it, or has too few positions. */
export function placeReference(
  reference: TracedLap,
  options: Pick<ComparisonOptions, 'line' | 'stepMeters'> = {},
): PlacedReference | null {
  const line = options.line ?? lineOfLap(reference);
  const first = line === null ? null : alignToLine(line, reference, options.line === undefined);
  if (line === null || first === null) return null;
  const stations = stationsOn(line, options.stepMeters ?? stepAlong(line));
  return { line, first, stations, driven: driveAlong(stations, first, reference) };
}

/** A lap on the line, after its positions were shifted. */
export type AlignedLap = {
  path: LapPath;
  shift: PlanePoint;
  projection: Projection;
  /** Covariance of the shift; null where none was estimated. */
  covariance: ReceiverOffset['covariance'] | null;
};

function alignToLine(line: ReferenceLine, lap: TracedLap, isOwnLine: boolean): AlignedLap | null {
  const path = lapPath(lap, line.plane);
  if (path === null) return null;
  return found(line, path, isOwnLine ? shiftBy(line, path, NO_SHIFT) : estimateOffset(line, path, null));
}

/** Places another lap on the line; null where it was not driven all along it, or has too few positions. */
export function alignToLap(line: ReferenceLine, lap: OtherLap, first: AlignedLap): AlignedLap | null {
  const path = lapPath(lap, line.plane);
  if (path === null) return null;
  return found(
    line,
    path,
    lap.isSameRecording ? shiftBy(line, path, first.shift) : estimateOffset(line, path, first.projection),
  );
}

function shiftBy(line: ReferenceLine, path: LapPath, shift: PlanePoint): Omit<AlignedLap, 'path'> {
  return { shift, projection: projectOnto(line, path, shift), covariance: null };
}

function found(line: ReferenceLine, path: LapPath, lap: Omit<AlignedLap, 'path'>): AlignedLap | null {
  const { projection } = lap;
  return isOnLine(projection) && reachesBothEnds(line, projection) ? { path, ...lap } : null;
}

function between(first: AlignedLap, other: AlignedLap): ComparedLap['offsetMeters'] {
  return { east: first.shift.x - other.shift.x, north: first.shift.y - other.shift.y };
}

function stepAlong({ startMeters, endMeters }: ReferenceLine): number {
  return Math.max(STEP_METERS, (endMeters - startMeters) / STATIONS_MAX);
}

function stationsOn({ startMeters, endMeters }: ReferenceLine, stepMeters: number): Float64Array {
  const length = endMeters - startMeters;
  const count = Math.max(1, Math.round(length / stepMeters));
  return Float64Array.from({ length: count + 1 }, (_, station) => startMeters + (station * length) / count);
}

function measureGap(source: GapSources): Pick<ComparedLap, 'gapMs' | 'bandMs'> {
  const [first, second] = source.laps;
  return {
    gapMs: second.elapsedMs.map((elapsedMs, station) => elapsedMs - at(first.elapsedMs, station)),
    bandMs: gapBands(source),
  };
}

function toColumns({ elapsedMs, speedsMetersPerSecond }: LapAtStations): LapColumns {
  return { elapsedMs, speedsMetersPerSecond };
}

function positionsOn(line: ReferenceLine, stations: Float64Array) {
  const lats = new Float64Array(stations.length);
  const lons = new Float64Array(stations.length);
  stations.forEach((meters, station) => {
    const { lat, lon } = toPosition(line.plane, pointAt(line, meters));
    lats[station] = lat;
    lons[station] = lon;
  });
  return { lats, lons };
}
