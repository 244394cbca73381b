import type { CenterLine, TrackShape } from '../center-line.ts';
import type { MeasuredTrace } from '../timing/crossings.ts';
import { cumulativeDistances } from '../trace/cumulative-distance.ts';
import { at } from '../fix-columns.ts';
import { planeAround, planeX, planeY, type Plane } from '../geo.ts';
import { lapLengthMeters, type LapSpan, findTimedSpans } from '../timing/lap-spans.ts';
import { fitToOutline, type OutlineFit } from './outline-fit.ts';
import { isMotorStretch, motorProbability, measurePace } from './motor-detection.ts';
import { areSectorsInOrder, findSectorCrossings } from '../timing/sectors.ts';
import type { LineFrame } from '../timing-line.ts';
import { median, quantile } from '../statistics.ts';
import type { Trace } from '../trace/trace.ts';
import type { Track } from '../track.ts';

/**
 * Describes what the trace says about one track. `score`, 0 to 1, is how sure it would be if no other track were known.
 * The others are for comparing it with its rivals: `deviation` is that of the best fit to its outline, null where it
 * has none.
 */
export type Evidence = {
  track: Track;
  score: number;
  odds: number;
  deviation: number | null;
  lapMeters: number;
};

/** Holds the indexes of the first and the last fix. */
type Stretch = { first: number; last: number };

/** For the shape of a drive, a fix every few metres is enough. */
export const SAMPLE_SPACING_METERS = 10;
/** More laps than this say nothing new about the shape. */
const LAPS_LOOKED_AT = 4;
const WAY_LOOKED_AT_METERS = 30_000;
/** Without a complete lap the venue may be right, but the layout is unknown. */
const WITHOUT_LAP = 0.65;
const PLACE_SHARE_MIN = 0.5;

/** Returns what a trace, thinned to a fix every `THINNED_METERS`, says about a track; null where nothing speaks for it. */
export function weighTrack(trace: Trace, track: Track, { centerLine, frame }: TrackShape): Evidence | null {
  const here = fixesWithin(trace, track);
  if (here === null) return null;
  const laps = frame === null ? [] : lapsOver(trace, frame, { finishLine: track.finishLine, centerLine });
  if (centerLine === null) return weighLine(trace, track, laps);
  return weighLaps(trace, { track, centerLine, laps }) ?? weighStretch(trace, { track, centerLine, here });
}

/** Returns the laps that may show the shape: neither the first, which may come from the pits, nor more than needed. */
function lapsOver(trace: Trace, frame: LineFrame, lines: Parameters<typeof findTimedSpans>[2]): LapSpan[] {
  const spans = findTimedSpans(measured(trace), frame, lines).spans.filter((span) => !span.hasTurnedBack);
  const start = Math.max(0, Math.floor((spans.length - LAPS_LOOKED_AT) / 2));
  return spans.slice(start, start + LAPS_LOOKED_AT);
}

/** Good enough to tell one lap from the next. */
function measured(trace: Trace): MeasuredTrace {
  return { trace, speeds: null, noise: { whiteMeters: 0, driftMeters: 0 } };
}

/** Weighs the usual lap of those over the line, for a track with an outline. Null where these do not lie on it at all. */
function weighLaps(
  trace: Trace,
  { track, centerLine, laps }: { track: Track; centerLine: CenterLine; laps: readonly LapSpan[] },
): Evidence | null {
  const stretches = laps.map(({ start, end }) => ({ first: start.fixIndex, last: end.fixIndex + 1 }));
  const fit = medianFit(fitToOutline(trace.fixes, centerLine, stretches));
  if (fit === null || fit.coverageShare <= PLACE_SHARE_MIN) return null;
  const motor = motorProbabilityOfLaps(trace, laps, centerLine.lengthMeters);
  if (motor === 0) return null;
  const order = weighOrder(track, fit);
  const known = knownShare(fit, centerLine.lengthMeters);
  return {
    track,
    score: motor * order.score * fit.coverageShare * (DIVERGED + (1 - DIVERGED) * known),
    odds: order.odds * (fit.coverageShare * known) ** 2,
    deviation: fit.deviation,
    lapMeters: centerLine.lengthMeters,
  };
}

/** The median fit; of two the better: one of them may lead through the pits. */
function medianFit(fits: readonly OutlineFit[]): OutlineFit | null {
  const sorted = fits.toSorted((a, b) => a.deviation - b.deviation);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** A trace that diverges from the outline may be on another layout that the library does not have. */
function knownShare({ divergingMeters }: OutlineFit, lapMeters: number): number {
  const telling = DIVERGING_METERS + DIVERGING_SHARE * lapMeters;
  return 1 / (1 + (divergingMeters / telling) ** 2);
}

const DIVERGING_METERS = 25;
const DIVERGING_SHARE = 0.01;
const DIVERGED = 0.4;

/** Weighs a drive against the order of the outline: surely wrong where the track has a direction, and hardly where it has none. */
function weighOrder({ startFinishLine }: Track, { isInOrder }: OutlineFit): { score: number; odds: number } {
  if (isInOrder) return { score: 1, odds: 1 };
  return startFinishLine?.bearingDeg == null ? { score: 0.85, odds: 0.3 } : { score: 0.4, odds: 0.001 };
}

function motorProbabilityOfLaps(trace: Trace, laps: readonly LapSpan[], lapMeters: number): number {
  const shares = laps.map(({ start, end }) =>
    motorProbability(measurePace(trace, start.fixIndex, end.fixIndex + 1), lapMeters),
  );
  return Math.max(0, ...shares);
}

/** Weighs a drive without a whole lap by how much of the outline was driven. */
function weighStretch(
  trace: Trace,
  { track, centerLine, here }: { track: Track; centerLine: CenterLine; here: Stretch },
): Evidence | null {
  const { first, last } = here;
  if (!isMotorStretch(measurePace(trace, first, last))) return null;
  const [fit] = fitToOutline(trace.fixes, centerLine, [here]);
  if (fit === undefined) return null;
  const order = weighOrder(track, fit);
  return {
    track,
    score: WITHOUT_LAP * order.score * fit.coverageShare,
    odds: order.odds * fit.coverageShare ** 2,
    deviation: fit.deviation,
    lapMeters: centerLine.lengthMeters,
  };
}

/** A track without an outline proves less. */
const LENGTH_ALONE = 0.75;
const LENGTH_AND_SECTORS = 0.9;
const LINE_ALONE = 0.5;
const AGAINST_SECTORS = 0.5;
/** An outline that fits is the better proof by far. */
const LINE_ODDS = 0.05;
/** Driving lines and stated lengths agree to a few percent; the layouts of one venue seldom do. */
const LENGTH_OFF_MAX = 0.12;
const LENGTH_OFF_USUAL = 0.025;

/** Weighs a track without an outline by laps over the line, of the right length, past the sector lines in their order. */
function weighLine(trace: Trace, track: Track, laps: readonly LapSpan[]): Evidence | null {
  const meters = cumulativeDistances(trace);
  const lengths = laps.map((lap) => lapLengthMeters(meters, lap));
  const lapMeters = median(lengths);
  if (lapMeters === null) return null;
  const motor = motorProbabilityOfLaps(trace, laps, lapMeters);
  const inOrder = areSectorsInOrder(laps, findSectorCrossings(measured(trace), track.sectors));
  const order = inOrder === false ? AGAINST_SECTORS : 1;
  const evidence = { track, deviation: null, lapMeters };
  if (motor === 0) return null;
  if (track.lengthMeters === null) {
    if (!areAlike(lengths, lapMeters) || !laps.every((lap) => isAround(trace, track, lap))) return null;
    return { ...evidence, score: motor * order * LINE_ALONE, odds: LINE_ODDS };
  }
  const off = Math.abs(lapMeters / track.lengthMeters - 1);
  const fit = Math.max(0, 1 - (off / LENGTH_OFF_MAX) ** 2);
  const proof = inOrder === null ? LENGTH_ALONE : LENGTH_AND_SECTORS;
  return {
    ...evidence,
    score: motor * order * fit * proof,
    odds: LINE_ODDS * order ** ORDER_POWER * Math.exp(-((off / LENGTH_OFF_USUAL) ** 2) / 2),
  };
}

/** Sector lines in the wrong order are as good as proof. */
const ORDER_POWER = 6;
/** Laps of a race track are as long as each other. */
const ALIKE_LAPS_MIN = 3;
const ALIKE_SHARE = 0.05;

function areAlike(lengths: readonly number[], usualMeters: number): boolean {
  if (lengths.length < ALIKE_LAPS_MIN) return false;
  const off = lengths.map((length) => Math.abs(length / usualMeters - 1));
  return (quantile(off, 0.5) ?? 1) <= ALIKE_SHARE;
}

/** Returns whether a lap stays around the track. Commutes are as long as each other, too, but lead away from the track. */
function isAround(trace: Trace, track: Track, { start, end }: LapSpan): boolean {
  const circle = buildCircle({ ...track, radiusMeters: AROUND_RADII * track.radiusMeters });
  for (let fix = start.fixIndex; fix <= end.fixIndex; fix += 1) {
    if (!isWithin(trace, fix, circle)) return false;
  }
  return true;
}

const AROUND_RADII = 1.5;

/** Returns the stretch of the trace, at most so long, in which it was inside the track's circle; null if it never was. */
function fixesWithin(trace: Trace, track: Track): Stretch | null {
  const circle = buildCircle(track);
  let first = -1;
  let last = -1;
  for (let fix = 0; fix < trace.fixes.length; fix += 1) {
    if (!isWithin(trace, fix, circle)) continue;
    if (first === -1) first = fix;
    last = fix;
    if ((last - first) * SAMPLE_SPACING_METERS > WAY_LOOKED_AT_METERS) break;
  }
  return first === -1 || first === last ? null : { first, last };
}

/** Describes the circle around a track; its plane is made once, since this is asked for every fix. */
type Circle = { plane: Plane; radiusMeters: number };

function buildCircle({ centerLat, centerLon, radiusMeters }: Track): Circle {
  return { plane: planeAround({ lat: centerLat, lon: centerLon }), radiusMeters };
}

function isWithin({ fixes }: Trace, fix: number, { plane, radiusMeters }: Circle): boolean {
  const [x, y] = [planeX(plane, at(fixes.lons, fix)), planeY(plane, at(fixes.lats, fix))];
  return x * x + y * y <= radiusMeters ** 2;
}
