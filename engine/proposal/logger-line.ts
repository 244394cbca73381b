import { at } from '../fix-columns.ts';
import { planeAround, planeX, planeY, type Plane, type PlanePoint } from '../geo.ts';
import type { LoggerLap } from '../lap-file.ts';
import { median } from '../statistics.ts';
import type { OpenedLapFile } from '../time-lap-file.ts';
import type { TimingLine } from '../timing-line.ts';
import { HALF_WIDTH_METERS, squareLine } from './place-line.ts';

/** Describes the lines that a logger has timed on, found by where the car was when its laps began and ended. */
export type LoggerLines = { startFinishLine: TimingLine; finishLine: TimingLine | null };

/** The laps of one line begin and end as near to it as this; more than the second between two fixes takes a race car. */
const SAME_PLACE_METERS = 60;
/** The direction of the drive is that over so long before and behind a moment. */
const DIRECTION_MS = 1000;

/** Returns the lines of a logger that says when its laps began; null where it does not, or where they began all over the place. */
export function findLoggerLines({ trace, loggerLaps }: OpenedLapFile): LoggerLines | null {
  const { fixes } = trace;
  const laps = loggerLaps.filter(hasStart);
  if (laps.length === 0 || fixes.length < 2) return null;
  const plane = planeAround({ lat: at(fixes.lats, 0), lon: at(fixes.lons, 0) });
  const placesAt = (moments: number[]): Place[] =>
    moments.flatMap((timeMs) => placeAt(fixes, plane, timeMs) ?? []);
  const starts = placesAt(laps.map((lap) => lap.startTimeMs));
  const ends = placesAt(laps.map((lap) => lap.startTimeMs + lap.lapTimeMs));
  const [start, end] = [middlePlace(starts), middlePlace(ends)];
  if (start === null || end === null) return null;
  if (!isSamePlace(start, end)) {
    return { startFinishLine: lineAt(plane, start, starts), finishLine: lineAt(plane, end, ends) };
  }
  const both = middlePlace([...starts, ...ends]);
  return both && { startFinishLine: lineAt(plane, both, [...starts, ...ends]), finishLine: null };
}

function hasStart(lap: LoggerLap): lap is LoggerLap & { startTimeMs: number } {
  return lap.startTimeMs !== null;
}

type Place = { point: PlanePoint; forward: PlanePoint };

/** Returns a line at a place that all these others pass as well: loggers count laps through the pits beside the track, too. */
function lineAt(plane: Plane, { point, forward }: Place, others: readonly Place[]): TimingLine {
  const asides = others
    .filter((other) => isSamePlace(other, { point, forward }))
    .map((other) => (other.point.x - point.x) * forward.y - (other.point.y - point.y) * forward.x);
  const left = Math.max(
    -WIDTH_MAX_METERS / 2,
    Math.min(-HALF_WIDTH_METERS, ...asides.map((aside) => aside - MARGIN_METERS)),
  );
  const right = Math.min(
    WIDTH_MAX_METERS / 2,
    Math.max(HALF_WIDTH_METERS, ...asides.map((aside) => aside + MARGIN_METERS)),
  );
  const middle = (left + right) / 2;
  const center = { x: point.x + middle * forward.y, y: point.y - middle * forward.x };
  return squareLine(plane, center, forward, (right - left) / 2);
}

/** The line reaches this far beside the outermost pass. */
const MARGIN_METERS = 4;
const WIDTH_MAX_METERS = 40;

/** Returns where the car was at a moment; null where the recording has no fixes around it, or the car stood. */
function placeAt(
  { timesMs, lats, lons, length }: OpenedLapFile['trace']['fixes'],
  plane: Plane,
  timeMs: number,
): Place | null {
  const after = timesMs.findIndex((fixMs) => fixMs >= timeMs);
  const last = length - 1;
  const next = Math.max(1, after === -1 ? last : after);
  const [fromMs, toMs] = [at(timesMs, next - 1), at(timesMs, next)];
  if (timeMs < fromMs - DIRECTION_MS || timeMs > toMs + DIRECTION_MS) return null;
  const share = (timeMs - fromMs) / (toMs - fromMs);
  const meanPoint = (fix: number): PlanePoint => ({
    x: planeX(plane, at(lons, fix)),
    y: planeY(plane, at(lats, fix)),
  });
  const [from, to] = [meanPoint(next - 1), meanPoint(next)];
  let [first, end] = [next - 1, next];
  while (first > 0 && timeMs - at(timesMs, first) < DIRECTION_MS) first -= 1;
  while (end < last && at(timesMs, end) - timeMs < DIRECTION_MS) end += 1;
  const [before, behind] = [meanPoint(first), meanPoint(end)];
  const meters = Math.hypot(behind.x - before.x, behind.y - before.y);
  if (!(meters > 1)) return null;
  return {
    point: { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) },
    forward: { x: (behind.x - before.x) / meters, y: (behind.y - before.y) / meters },
  };
}

/** Returns the middle of places that lie together and lead the same way; null where most do not. */
function middlePlace(places: readonly Place[]): Place | null {
  const point = {
    x: median(places.map((place) => place.point.x)) ?? 0,
    y: median(places.map((place) => place.point.y)) ?? 0,
  };
  const forward = {
    x: median(places.map((place) => place.forward.x)) ?? 0,
    y: median(places.map((place) => place.forward.y)) ?? 0,
  };
  const meters = Math.hypot(forward.x, forward.y);
  if (!(meters > 0.5)) return null;
  const middle = { point, forward: { x: forward.x / meters, y: forward.y / meters } };
  const together = places.filter((place) => isSamePlace(place, middle));
  return 2 * together.length > places.length ? middle : null;
}

function isSamePlace(one: Place, other: Place): boolean {
  const meters = Math.hypot(one.point.x - other.point.x, one.point.y - other.point.y);
  const cosine = one.forward.x * other.forward.x + one.forward.y * other.forward.y;
  return meters <= SAME_PLACE_METERS && cosine > Math.SQRT1_2;
}
