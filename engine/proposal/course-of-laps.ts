import { lineOfLaps } from '../comparison/build-reference-line.ts';
import { type ReferenceLine, directionAt, pointAt } from '../comparison/reference-line.ts';
import { toPlane, toPosition, type PlanePoint } from '../geo.ts';
import { median } from '../statistics.ts';
import { timeLaps, type OpenedLapFile, type TimedLaps } from '../time-lap-file.ts';
import { toLineFrame, type TimingLine } from '../timing-line.ts';
import { type Lap, type LapReason, isRanking } from '../timing/laps.ts';
import { trackFromLine, type OutlinePoint, type SectorLine, type Track } from '../track.ts';
import { suggestSectors } from './suggest-sectors.ts';

export type CourseLines = {
  startFinishLine: TimingLine;
  /** Null on circuits. */
  finishLine: TimingLine | null;
  /** Null where lines are to be suggested. */
  sectors: SectorLine[] | null;
};

/** Describes a track as the laps of one file show it, and these laps timed on it. */
export type Course = { track: Track; timed: TimedLaps };

/** More laps than these hardly change the middle of them. */
const OUTLINE_LAPS_MAX = 5;
/** Laps of one layout are as long as each other to this share. */
const LENGTH_TOLERANCE = 0.06;
/** Reasons that leave it open whether the car went around the track; all others speak of the quality of the time only. */
const NO_LAP_REASONS: readonly LapReason[] = [
  'gap_in_data',
  'impossible_jump',
  'too_short',
  'too_long',
  'wrong_direction',
  'out_lap',
  'in_lap',
];
/** The outline has a point every so many metres, fewer on long tracks. */
const OUTLINE_STEP_METERS = 6;
const OUTLINE_POINTS = 700;
/** A trace that stays this far away from the farthest point of the outline was not driven here. */
const MARGIN_METERS = 150;

/** Times a file on lines and makes a track of its laps between them. Null where no lap goes from line to line. */
export function courseOfLaps(file: OpenedLapFile, lines: CourseLines): Course | null {
  const bare: Track = { ...trackFromLine(lines.startFinishLine), finishLine: lines.finishLine };
  const laps = likeLaps(timeLaps(file, bare).laps);
  const line = lineOfLaps(laps.slice(0, OUTLINE_LAPS_MAX).map((lap) => ({ ...file, lap })));
  if (line === null) return null;
  const lengthMeters = Math.round(line.endMeters - line.startMeters);
  if (!(lengthMeters > 0)) return null;
  const outline = buildOutline(line, lines.finishLine !== null);
  const driven = directionAt(line, line.startMeters);
  const track = {
    ...bare,
    startFinishLine: withDirection(lines.startFinishLine, driven),
    lengthMeters,
    outline,
    sectors: lines.sectors ?? suggestSectors(line),
    ...circleAround(outline, line),
  };
  return { track, timed: timeLaps(file, track) };
}

/** A line without a direction gets that of the laps: the other way round is another track. */
function withDirection(line: TimingLine, driven: PlanePoint): TimingLine {
  if (line.bearingDeg !== null) return line;
  const bearingDeg = (Math.atan2(driven.x, driven.y) * (180 / Math.PI) + 360) % 360;
  const frame = toLineFrame(line);
  const isForward = frame === null || frame.forward.x * driven.x + frame.forward.y * driven.y >= 0;
  return isForward ? { ...line, bearingDeg } : { a: line.b, b: line.a, bearingDeg };
}

/** Returns whether the car went around the track from line to line, however well that was timed. */
export function isWholeLap(lap: Pick<Lap, 'status' | 'reasons'>): boolean {
  return isRanking(lap) || !lap.reasons.some((reason) => NO_LAP_REASONS.includes(reason));
}

/** Returns the laps around one layout in the direction of its line, the quickest first. */
function likeLaps(laps: readonly Lap[]): Lap[] {
  const whole = laps.filter((lap) => isWholeLap(lap) && !lap.reasons.includes('wrong_direction'));
  const usable = whole.some(isRanking) ? whole.filter(isRanking) : whole;
  const usualMs = median(usable.map((lap) => lap.lapTimeMs)) ?? 0;
  const quick = usable.filter((lap) => lap.lapTimeMs <= usualMs * (1 + 2 * LENGTH_TOLERANCE));
  return quick.toSorted((a, b) => a.lapTimeMs - b.lapTimeMs);
}

function buildOutline(line: ReferenceLine, isOpen: boolean): OutlinePoint[] {
  const meters = line.endMeters - line.startMeters;
  const steps = Math.max(8, Math.min(OUTLINE_POINTS, Math.round(meters / OUTLINE_STEP_METERS)));
  // A drawing closes a circuit by itself: the last point is a step before the first.
  const count = isOpen ? steps + 1 : steps;
  const [start, end] = [pointAt(line, line.startMeters), pointAt(line, line.endMeters)];
  const gap = isOpen ? { x: 0, y: 0 } : { x: start.x - end.x, y: start.y - end.y };
  return Array.from({ length: count }, (_, index): OutlinePoint => {
    const share = index / steps;
    const point = pointAt(line, line.startMeters + share * meters);
    // Two crossings of a line lie some metres beside each other; the gap between them is shared out over the lap.
    const { lat, lon } = toPosition(line.plane, {
      x: point.x + (share - 0.5) * gap.x,
      y: point.y + (share - 0.5) * gap.y,
    });
    return [roundDegrees(lat), roundDegrees(lon)];
  });
}

/** Returns a centimetre. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

function circleAround(
  outline: readonly OutlinePoint[],
  { plane }: ReferenceLine,
): Pick<Track, 'centerLat' | 'centerLon' | 'radiusMeters'> {
  const points = outline.map(([lat, lon]) => toPlane(plane, { lat, lon }));
  const center = { x: middleOfRange(points.map(({ x }) => x)), y: middleOfRange(points.map(({ y }) => y)) };
  const farthest = Math.max(...points.map(({ x, y }) => Math.hypot(x - center.x, y - center.y)));
  const { lat, lon } = toPosition(plane, center);
  return {
    centerLat: roundDegrees(lat),
    centerLon: roundDegrees(lon),
    radiusMeters: Math.round(farthest + MARGIN_METERS),
  };
}

function middleOfRange(values: readonly number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2;
}
