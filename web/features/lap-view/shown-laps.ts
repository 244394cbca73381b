import type { Column } from './lap-lines.ts';

/**
 * The style of one lap's lines everywhere: a token of tokens.css, and dashes that tell them apart without the colour.
 */
export type LapStroke = { color: string; dashes: readonly number[] };

/** The strokes are in the order of the laps: the reference first. */
export const LAP_STROKES = [
  { color: '--lap-a', dashes: [] },
  { color: '--lap-b', dashes: [8, 5] },
  { color: '--lap-c', dashes: [2, 4] },
  { color: '--lap-d', dashes: [12, 4, 2, 4] },
] as const satisfies readonly LapStroke[];

/**
 * The stations that all laps of a view share: the positions of the reference line, and the times of the reference lap
 * there.
 */
export type Stations = { meters: Column; lats: Column; lons: Column; elapsedMs: Column };

/** One lap on charts and map. */
export type ShownLap = {
  lapId: string;
  /** The driver's name; 'You' for the viewer. */
  driver: string;
  stroke: LapStroke;
  speedsKmh: Column;
  /** The gap to the reference with its 95 % band; null for the reference itself. */
  gap: { gapMs: Column; bandMs: Column } | null;
};

/** A corner of the track, as the charts and the map mark it. */
export type MarkedCorner = {
  number: number;
  name: string | null;
  startMeters: number;
  apexMeters: number;
  endMeters: number;
  direction: 'left' | 'right';
};

/** The corners of a track, with their nearest stations. */
export type TrackCorners = {
  trackId: string;
  corners: readonly MarkedCorner[];
  stations: Pick<Stations, 'meters' | 'lats' | 'lons'>;
};
