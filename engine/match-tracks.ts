import { centerLineOf } from './center-line.ts';
import type { CenterLine } from './center-line.ts';
import type { MeasuredTrace } from './crossings.ts';
import { drivenMeters, followCenterLine } from './driven-way.ts';
import type { Following } from './driven-way.ts';
import { at } from './fix-columns.ts';
import { planeAround, planeX, planeY, roughDistanceMeters } from './geo.ts';
import { lengthOfLap } from './lap-checks.ts';
import type { LapSpan } from './laps.ts';
import { areSectorsInOrder, sectorPassTimes } from './sectors.ts';
import { timedSpans } from './timed-spans.ts';
import { frameOf } from './timing-line.ts';
import type { LineFrame } from './timing-line.ts';
import { median, quantile } from './time-stamps.ts';
import type { Trace } from './trace.ts';
import type { Track } from './track.ts';

/** Any number of tracks, ready to be looked up by place. */
export type TrackIndex = { cells: Map<number, IndexedTrack[]> };

/** A track, and what the matching needs of it, worked out when it is first needed. */
type IndexedTrack = { track: Track; shape: Shape | null };
type Shape = { centerLine: CenterLine | null; frame: LineFrame | null };

/** How sure it is, 0 to 100, that the trace was driven on this track and layout. */
export type TrackMatch = { track: Track; confidencePct: number };

/** Eleven kilometres from north to south: few tracks share a cell, and a trace touches few cells. */
const CELL_DEGREES = 0.1;
const METERS_PER_DEGREE = 111_000;
const LON_CELLS = Math.round(360 / CELL_DEGREES);

/** For the shape of a drive, a fix every few metres is enough. */
const THINNED_METERS = 10;
/** More laps than this say nothing new about the shape. */
const LAPS_LOOKED_AT = 6;
const WAY_LOOKED_AT_METERS = 30_000;
/** Even on a slow kart track, a tenth of the way is driven faster than any bicycle goes for so long. */
const QUICK_METERS_PER_SECOND = 14;
const QUICK_SHARE = 0.9;
/** Less similar than this is not worth a driver's look. */
const CONFIDENCE_MIN_PCT = 25;
/** What is known of a track without an outline proves less. */
const LENGTH_ALONE = 0.75;
const LENGTH_AND_SECTORS = 0.9;
const LINE_ALONE = 0.5;
/** Without a complete lap, or against the track's order, it may still be the place, but not to drive laps on. */
const WITHOUT_LAP = 0.6;
const AGAINST_ORDER = 0.5;

/** Sorts tracks into a grid, so that the cost of a match does not grow with their number. */
export function buildTrackIndex(tracks: readonly Track[]): TrackIndex {
  const cells = new Map<number, IndexedTrack[]>();
  for (const track of tracks) {
    const indexed: IndexedTrack = { track, shape: null };
    for (const cell of cellsAround(track)) {
      const others = cells.get(cell);
      if (others === undefined) cells.set(cell, [indexed]);
      else others.push(indexed);
    }
  }
  return { cells };
}

/** The tracks that a trace may have been driven on, most likely first; none for a road trip, a flight, a bicycle ride. */
export function matchTracks(trace: Trace, index: TrackIndex): TrackMatch[] {
  const thinned = thin(trace);
  const scored = candidates(thinned, index)
    .map((candidate) => ({ track: candidate.track, score: scoreOf(thinned, candidate) }))
    .toSorted((a, b) => b.score - a.score);
  return scored
    .map(({ track, score }) => ({
      track,
      confidencePct: Math.round(100 * score * clearness(track, score, scored)),
    }))
    .filter((match) => match.confidencePct >= CONFIDENCE_MIN_PCT)
    .toSorted((a, b) => b.confidencePct - a.confidencePct);
}

/** Another track here that fits as well takes half of the confidence away. */
function clearness(track: Track, score: number, scored: { track: Track; score: number }[]): number {
  const rivals = scored.filter((other) => other.track !== track).map((other) => other.score / score);
  return 1 - Math.min(1, Math.max(0, ...rivals)) ** RIVALRY / 2;
}

/** A rival that fits 5 % worse still takes a quarter away, one that fits 20 % worse next to nothing. */
const RIVALRY = 14;

function candidates(trace: Trace, index: TrackIndex): IndexedTrack[] {
  const { lats, lons } = trace.fixes;
  const visited = new Set<number>();
  const found = new Set<IndexedTrack>();
  for (let fix = 0; fix < trace.fixes.length; fix += 1) {
    const cell = cellAt(at(lats, fix), at(lons, fix));
    if (visited.has(cell)) continue;
    visited.add(cell);
    for (const indexed of index.cells.get(cell) ?? []) found.add(indexed);
  }
  return [...found];
}

/** How well a trace fits a track, 0 to 1. */
function scoreOf(trace: Trace, candidate: IndexedTrack): number {
  const { track } = candidate;
  candidate.shape ??= {
    centerLine: centerLineOf(track),
    frame: track.startFinishLine && frameOf(track.startFinishLine),
  };
  const { centerLine, frame } = candidate.shape;
  const here = fixesWithin(trace, track);
  if (here === null || !isQuick(trace, here)) return 0;
  const laps = frame === null ? [] : lapsOver(trace, frame, track);
  if (centerLine === null) return scoreOfLine(trace, track, laps);
  const ways = laps.map((lap) =>
    followCenterLine(trace, centerLine, lap.start.fixIndex, lap.end.fixIndex + 1),
  );
  const best = bestFit(ways);
  if (best > 0.5) return best;
  const { first, last } = here;
  return WITHOUT_LAP * fitOf(followCenterLine(trace, centerLine, first, last));
}

/** The laps that may show the shape: neither the first, which may come from the pits, nor more than needed. */
function lapsOver(trace: Trace, frame: LineFrame, { finishLine }: Track): LapSpan[] {
  const spans = timedSpans(measured(trace), frame, finishLine).spans.filter((span) => !span.hasTurnedBack);
  const start = Math.max(0, Math.floor((spans.length - LAPS_LOOKED_AT) / 2));
  return spans.slice(start, start + LAPS_LOOKED_AT);
}

/** Good enough to tell one lap from the next. */
function measured(trace: Trace): MeasuredTrace {
  return { trace, speeds: null, noise: { whiteMeters: 0, driftMeters: 0 } };
}

function bestFit(ways: Following[]): number {
  return Math.max(0, ...ways.map(fitOf));
}

/** Whether the whole outline was driven, nothing but the outline, and in its order. */
function fitOf(way: Following): number {
  const total = way.insideMeters + way.outsideMeters;
  if (total === 0) return 0;
  const fit = way.coverage ** 2 * (way.insideMeters / total) ** 2;
  return way.netBins < 0 ? AGAINST_ORDER * fit : fit;
}

/** Without an outline: laps over the line, of the right length, past the sector lines in their order. */
function scoreOfLine(trace: Trace, track: Track, laps: LapSpan[]): number {
  const meters = drivenMeters(trace);
  const lapMeters = median(laps.map((lap) => lengthOfLap(meters, lap)));
  if (lapMeters === null) return 0;
  const inOrder = areSectorsInOrder(laps, sectorPassTimes(measured(trace), track.sectors));
  const order = inOrder === false ? AGAINST_ORDER : 1;
  if (track.lengthMeters === null) return order * LINE_ALONE;
  const off = Math.abs(lapMeters / track.lengthMeters - 1);
  const fit = Math.max(0, 1 - (off / LENGTH_OFF_MAX) ** 2);
  return order * fit * (inOrder === null ? LENGTH_ALONE : LENGTH_AND_SECTORS);
}

/** Driving lines and stated lengths agree to a few percent; the layouts of one venue seldom do. */
const LENGTH_OFF_MAX = 0.12;

/** The stretch of the trace, at most so long, in which it was inside the track's circle; null if it never was. */
function fixesWithin(trace: Trace, track: Track): { first: number; last: number } | null {
  const { fixes } = trace;
  const plane = planeAround({ lat: track.centerLat, lon: track.centerLon });
  const isInside = (fix: number): boolean =>
    Math.hypot(planeX(plane, at(fixes.lons, fix)), planeY(plane, at(fixes.lats, fix))) <= track.radiusMeters;
  let first = -1;
  let last = -1;
  for (let fix = 0; fix < fixes.length; fix += 1) {
    if (!isInside(fix)) continue;
    if (first === -1) first = fix;
    last = fix;
    if ((last - first) * THINNED_METERS > WAY_LOOKED_AT_METERS) break;
  }
  return first === -1 || first === last ? null : { first, last };
}

/** Whether the car was quick enough for a car. */
function isQuick(trace: Trace, { first, last }: { first: number; last: number }): boolean {
  const { fixes } = trace;
  const speeds: number[] = [];
  for (let fix = first + 1; fix <= last; fix += 1) {
    const seconds = (at(fixes.timesMs, fix) - at(fixes.timesMs, fix - 1)) / 1000;
    speeds.push(roughDistanceMeters(fixes.lats, fixes.lons, fix - 1, fix) / seconds);
  }
  return (quantile(speeds, QUICK_SHARE) ?? 0) >= QUICK_METERS_PER_SECOND;
}

/** The same trace with fewer fixes: the ends of its parts, and in between one every few metres. */
function thin(trace: Trace): Trace {
  const { fixes, partStarts } = trace;
  const kept: number[] = [];
  const starts: number[] = [];
  partStarts.forEach((first, part) => {
    starts.push(kept.length);
    kept.push(first);
    const last = (partStarts[part + 1] ?? fixes.length) - 1;
    let anchor = first;
    for (let fix = first + 1; fix <= last; fix += 1) {
      if (fix < last && roughDistanceMeters(fixes.lats, fixes.lons, anchor, fix) < THINNED_METERS) continue;
      kept.push(fix);
      anchor = fix;
    }
  });
  const pick = (column: Float64Array): Float64Array => Float64Array.from(kept, (fix) => at(column, fix));
  return {
    ...trace,
    partStarts: starts,
    fixes: {
      length: kept.length,
      timesMs: pick(fixes.timesMs),
      lats: pick(fixes.lats),
      lons: pick(fixes.lons),
      speedsMetersPerSecond: pick(fixes.speedsMetersPerSecond),
    },
  };
}

function cellsAround({ centerLat, centerLon, radiusMeters }: Track): number[] {
  const latReach = radiusMeters / METERS_PER_DEGREE;
  const lonReach = latReach / Math.max(Math.cos((centerLat * Math.PI) / 180), 0.01);
  const cells: number[] = [];
  for (let row = rowOf(centerLat - latReach); row <= rowOf(centerLat + latReach); row += 1) {
    for (let column = columnOf(centerLon - lonReach); column <= columnOf(centerLon + lonReach); column += 1) {
      cells.push(row * LON_CELLS + ((column + LON_CELLS) % LON_CELLS));
    }
  }
  return cells;
}

function cellAt(lat: number, lon: number): number {
  return rowOf(lat) * LON_CELLS + ((columnOf(lon) + LON_CELLS) % LON_CELLS);
}

function rowOf(lat: number): number {
  return Math.floor((lat + 90) / CELL_DEGREES);
}

function columnOf(lon: number): number {
  return Math.floor((lon + 180) / CELL_DEGREES);
}
