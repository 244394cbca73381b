import { distanceMeters, middle, type Position } from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { type Fields, pick, readFields, type Report } from '#server/model/cars/imported-fields.ts';
import { lineThroughPoint } from './line-across.ts';
import { isGiven, readPosition, readTimingLine } from './read-timing-line.ts';

/** Files use these fields for the line of a circuit. */
export const LINES = ['startfinishline', 'startfinish', 'sf', 'finishline'];
const FINISHES = ['finishline', 'finish', 'fin'];
/** A stage begins at one of these; in a file without a finish they may mean anything. */
const STAGE_STARTS = ['startfinishline', 'startfinish', 'sf', 'startline', 'start', 'st', 'finishline'];

/** Laps or runs begin at the start line, and runs end at the finish line. `startLine` is the unread value of the file. */
export type TrackLines = {
  startLine: unknown;
  startFinishLine: TimingLine | null;
  /** Null on circuits. */
  finishLine: TimingLine | null;
};

/** A finish this close to the start is the same line. */
const SAME_LINE_METERS = 10;

/** Reads the lines of a track. A single line may have any of the names; two lines are a start and a finish. */
export function takeLines(report: Report, fields: Fields, points: readonly Position[] | null): TrackLines {
  const startLine = findStartLine(fields);
  const startFinishLine = takeStart(report, startLine, points);
  const finish = findFirst(fields, FINISHES);
  if (finish === undefined || finish === startLine) return { startLine, startFinishLine, finishLine: null };
  const reading = readTimingLine(finish);
  if (!('line' in reading)) {
    report.warnings.push(`The finish was left out, so runs cannot be timed here yet. ${reading.why}`);
    return { startLine, startFinishLine: null, finishLine: null };
  }
  const isSame = startFinishLine !== null && metersBetween(startFinishLine, reading.line) < SAME_LINE_METERS;
  return { startLine, startFinishLine, finishLine: isSame ? null : reading.line };
}

/** Finds the start line; courses of Doves have the ends of their line among their own fields. */
function findStartLine(fields: Fields): unknown {
  const names = findFirst(fields, FINISHES) === undefined ? LINES : STAGE_STARTS;
  return findFirst(fields, names) ?? (fields.has('startalat') ? Object.fromEntries(fields) : undefined);
}

function findFirst(fields: Fields, names: readonly string[]): unknown {
  return pick(
    fields,
    names.filter((name) => isGiven(fields.get(name))),
  );
}

function takeStart(report: Report, raw: unknown, points: readonly Position[] | null): TimingLine | null {
  if (!isGiven(raw)) {
    report.warnings.push('There is no start/finish line, so laps cannot be timed here yet.');
    return null;
  }
  const reading = readTimingLine(raw);
  if ('line' in reading) {
    if (readFields(raw)?.has('madefrompoint')) report.warnings.push(MADE_FROM_POINT);
    return reading.line;
  }
  const point = readPosition(raw);
  if (!point) {
    report.problems['startFinishLine'] = reading.why;
    return null;
  }
  // Many files have only a point.
  const line = lineThroughPoint(points ?? [], point);
  report.warnings.push(
    line
      ? `${MADE_FROM_POINT} Laps count in either direction.`
      : `There is no start/finish line. ${reading.why}`,
  );
  return line;
}

const MADE_FROM_POINT =
  'The file has a point, so the start/finish line was made square to the outline there.';

function metersBetween(one: TimingLine, other: TimingLine): number {
  return distanceMeters(middle(one.a, one.b), middle(other.a, other.b));
}
