import { at, pickFixes } from '../fix-columns.ts';
import { METERS_PER_DEGREE, distanceMeters, middle, wrapDegrees } from '../geo.ts';
import type { Trace } from '../trace/trace.ts';
import { buildTrackShape, type TrackShape } from '../center-line.ts';
import { weighTrack, SAMPLE_SPACING_METERS, type Evidence } from './track-evidence.ts';
import type { Track } from '../track.ts';

export type TrackIndex = { cells: Map<number, IndexedTrack[]> };

/** Describes a track, and what the matching needs of it, worked out when it is first needed. */
type IndexedTrack = { track: Track; shape: TrackShape | null };

/** Describes how sure it is, 0 to 100, that the trace was driven on this track and layout. */
export type TrackMatch = { track: Track; confidencePct: number };

/** Eleven kilometres from north to south: few tracks share a cell, and a trace touches few cells. */
const CELL_DEGREES = 0.1;
const LON_CELLS = Math.round(360 / CELL_DEGREES);

/** Less similar than this is not worth a driver's look. */
const CONFIDENCE_MIN_PCT = 25;
/** The library does not hold every layout of every venue, so no match is certain. */
const CONFIDENCE_MAX_PCT = 99;

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

/** Finds the tracks that a trace may have been driven on, most likely first; none for a road trip, a flight, a bicycle ride. */
export function matchTracks(trace: Trace, index: TrackIndex): TrackMatch[] {
  const thinned = downsampleTrace(trace, SAMPLE_SPACING_METERS);
  const found = findCandidates(thinned, index).flatMap((candidate) => {
    candidate.shape ??= buildTrackShape(candidate.track);
    return weighTrack(thinned, candidate.track, candidate.shape) ?? [];
  });
  const weights = posteriorWeights(found);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return withRunnerUp(
    found
      .map(({ track, score }, rank) => {
        const share = total > 0 ? (weights[rank] ?? 0) / total : 0;
        return { track, confidencePct: CONFIDENCE_MAX_PCT * score * share };
      })
      .toSorted((a, b) => b.confidencePct - a.confidencePct),
  );
}

/** Returns those worth a look, in whole per cent, and always the second best: it is right where the best is wrong. */
function withRunnerUp(ordered: readonly TrackMatch[]): TrackMatch[] {
  const matches = ordered.map(({ track, confidencePct }) => ({
    track,
    confidencePct: Math.round(confidencePct),
  }));
  const [best, ...others] = matches.filter(({ confidencePct }) => confidencePct >= CONFIDENCE_MIN_PCT);
  if (best === undefined) return [];
  const runnerUp = matches.find(({ track }) => track !== best.track && shareLine(track, best.track));
  const isMissing = runnerUp !== undefined && !others.includes(runnerUp);
  return [best, ...others, ...(isMissing ? [runnerUp] : [])];
}

/** Two libraries, or two layouts of one, may have the same line some metres apart. */
const SAME_LINE_METERS = 20;

function shareLine({ startFinishLine: one }: Track, { startFinishLine: other }: Track): boolean {
  if (one === null || other === null) return false;
  return distanceMeters(middle(one.a, one.b), middle(other.a, other.b)) <= SAME_LINE_METERS;
}

/** Neighbouring errors of positions and outlines are alike: a new one every so many metres, and no more than so many count. */
const INDEPENDENT_METERS = 50;
const INDEPENDENT_MAX = 40;
/** Even the right outline is this far away from where drivers drive, standard deviation squared. */
const USUAL_DEVIATION = 4 ** 2;

/** Returns how likely each track is compared with the others, on any scale: Bayes' rule, with normally distributed distances. */
function posteriorWeights(found: readonly Evidence[]): number[] {
  const least = Math.min(...found.map(({ deviation }) => deviation ?? Number.POSITIVE_INFINITY));
  const usual = Math.max(USUAL_DEVIATION, least);
  return found.map(({ odds, deviation, lapMeters }) => {
    if (deviation === null) return odds;
    const sightings = Math.min(lapMeters / INDEPENDENT_METERS, INDEPENDENT_MAX);
    return odds * Math.exp((-sightings * (deviation - least)) / (2 * usual));
  });
}

/** Returns the tracks of the index whose cells a trace touches. */
export function findTracksAround(trace: Trace, index: TrackIndex): Track[] {
  return findCandidates(trace, index).map(({ track }) => track);
}

function findCandidates(trace: Trace, index: TrackIndex): IndexedTrack[] {
  const { lats, lons } = trace.fixes;
  const visited = new Set<number>();
  const found = new Set<IndexedTrack>();
  let before = Number.NaN;
  for (let fix = 0; fix < trace.fixes.length; fix += 1) {
    const cell = cellAt(at(lats, fix), at(lons, fix));
    if (cell === before || visited.has(cell)) continue;
    before = cell;
    visited.add(cell);
    for (const indexed of index.cells.get(cell) ?? []) found.add(indexed);
  }
  return [...found];
}

function cellsAround({ centerLat, centerLon, radiusMeters }: Track): number[] {
  const latReach = radiusMeters / METERS_PER_DEGREE;
  const lonReach = latReach / Math.max(Math.cos((centerLat * Math.PI) / 180), 0.01);
  const cells: number[] = [];
  for (let row = rowIndex(centerLat - latReach); row <= rowIndex(centerLat + latReach); row += 1) {
    for (
      let column = columnIndex(centerLon - lonReach);
      column <= columnIndex(centerLon + lonReach);
      column += 1
    ) {
      cells.push(row * LON_CELLS + ((column + LON_CELLS) % LON_CELLS));
    }
  }
  return cells;
}

function cellAt(lat: number, lon: number): number {
  return rowIndex(lat) * LON_CELLS + ((columnIndex(lon) + LON_CELLS) % LON_CELLS);
}

function rowIndex(lat: number): number {
  return Math.floor((lat + 90) / CELL_DEGREES);
}

function columnIndex(lon: number): number {
  return Math.floor((lon + 180) / CELL_DEGREES);
}

const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * Returns the same trace with fewer fixes: the ends of its parts, and in between one every `stepMeters`. Runs over
 * every fix of a recording, so that the cosine of the latitude is only taken where a fix is kept.
 */
function downsampleTrace(trace: Trace, stepMeters: number): Trace {
  const { lats, lons, length } = trace.fixes;
  const kept = new Int32Array(length);
  const starts: number[] = [];
  const squaredStep = (stepMeters / METERS_PER_DEGREE) ** 2;
  let [part, count, partEnd] = [0, 0, 0];
  // NaN before the first of a part: not nearer than anything.
  let [lat, lon, shrink] = [Number.NaN, Number.NaN, 1];
  for (let fix = 0; fix < length; fix += 1) {
    if (fix === partEnd) {
      starts.push(count);
      part += 1;
      partEnd = trace.partStarts[part] ?? length;
      lat = Number.NaN;
    }
    const north = at(lats, fix) - lat;
    const east = wrapDegrees(at(lons, fix) - lon) * shrink;
    if (north * north + east * east < squaredStep && fix + 1 < partEnd) continue;
    kept[count] = fix;
    count += 1;
    lat = at(lats, fix);
    lon = at(lons, fix);
    shrink = Math.cos(lat * RADIANS_PER_DEGREE);
  }
  return { ...trace, partStarts: starts, fixes: pickFixes(trace.fixes, kept.subarray(0, count)) };
}
