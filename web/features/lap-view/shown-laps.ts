import type { LapId, TrackId } from '#contract/ids.ts';
import type { Column } from './lap-lines.ts';

/**
 * The style of one lap's lines everywhere: a token of tokens.css, and dashes that tell them apart without the colour.
 */
export type LapStroke = { color: string; dashes: readonly number[] };

/** The strokes are in the order of the laps: the reference first. */
export const LAP_STROKES = [
  { color: '--lap-a', dashes: [] },
  { color: '--lap-b', dashes: [5, 3.5] },
  { color: '--lap-c', dashes: [2, 4] },
  { color: '--lap-d', dashes: [12, 4, 2, 4] },
] as const satisfies readonly LapStroke[];

/** The record or own best behind a single lap: faint, and dashed like any other second lap. */
export const FAINT_STROKE: LapStroke = { color: '--text-3', dashes: [5, 4] };

/**
 * The stations that all laps of a view share: the positions of the reference line, and the times of the reference lap
 * there.
 */
export type Stations = { meters: Column; lats: Column; lons: Column; elapsedMs: Column };

/** A part of the lap, in metres, of which a recording has no positions. */
export type Hole = { startMeters: number; endMeters: number; lastsMs: number };

export type ShownLap = {
  lapId: LapId;
  /** Tells it from the other laps: the driver, 'Lap 9', or 'You'. */
  name: string;
  isYou: boolean;
  stroke: LapStroke;
  speedsKmh: Column;
  holes: readonly Hole[];
  /** The gap to the reference with its 95 % band; null for the reference itself. */
  gap: { gapMs: Column; bandMs: Column } | null;
};

/** Returns whether a recording has no positions around a point of the lap: its speed there was not measured. */
export function isInHole(meters: number, { holes }: Pick<ShownLap, 'holes'>): boolean {
  return holes.some(({ startMeters, endMeters }) => meters > startMeters && meters < endMeters);
}

/** A straight or a corner, with the braking point of each lap in it; null where a lap does not brake. */
export type ShownStretch = {
  kind: 'straight' | 'corner';
  number: number;
  title: string;
  startMeters: number;
  endMeters: number;
  brakingMeters: readonly (number | null)[];
};

/** The stations and the parts of the track, which charts and map share. */
export type LapMap = Stations & {
  stretches: readonly ShownStretch[];
  /** The sector lines between the start and the end of the lap, in metres. */
  sectorMeters: readonly number[];
  corners: readonly MarkedCorner[];
};

/** Tells whether a point of the lap is in a stretch; where two meet, it is in the later one. */
export function isWithin(
  meters: number,
  { startMeters, endMeters }: { startMeters: number; endMeters: number },
): boolean {
  return meters >= startMeters && meters < endMeters;
}

/** A corner of the track, as the charts and the map mark it. */
export type MarkedCorner = {
  number: number;
  name: string | null;
  startMeters: number;
  apexMeters: number;
  endMeters: number;
  direction: 'left' | 'right';
};

export type TrackCorners = {
  trackId: TrackId;
  corners: readonly MarkedCorner[];
  stations: Pick<Stations, 'meters' | 'lats' | 'lons'>;
};
