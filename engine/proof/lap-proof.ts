import { at, type FixColumns } from '../fix-columns.ts';
import { findCrossings, WINDOW_MS, type Crossing, type MeasuredTrace } from '../timing/crossings.ts';
import { isMostlyForward } from '../timing/lap-spans.ts';
import type { Lap } from '../timing/laps.ts';
import type { PositionNoise } from '../timing/position-noise.ts';
import { toLineFrame, type TimingLine } from '../timing-line.ts';
import { NEAR_MS } from '../trace/receiver-accuracy.ts';
import type { SpeedModel } from '../trace/speed-model.ts';
import type { SectorLine, Track } from '../track.ts';

/** Describes a timing line, and whether the car passed it in the line's own forward direction. */
export type PassedLine<Line extends TimingLine = TimingLine> = Line & { isForward: boolean };

/**
 * Holds all that the time of one lap follows from, as plain data that JSON carries without loss: its fixes with those
 * next to the line at both ends, the lines, and what the whole recording says of its quality.
 */
export type LapProof = {
  /** Milliseconds, on the clock of the lap file. */
  timesMs: number[];
  /** Degrees, WGS 84. */
  lats: number[];
  lons: number[];
  /** Ground speed measured by the receiver; null where it gave none. */
  speedsMetersPerSecond: (number | null)[];
  /** Index of the first fix of every unbroken part. */
  partStarts: number[];
  /** Median time between two fixes of the recording. */
  intervalMs: number | null;
  /** Time between the receiver's own fixes, where rows in between are interpolated. */
  receiverIntervalMs: number | null;
  /** Time stamps are cut to multiples of this; 0 where they are not. */
  timestampStepMs: number;
  noise: PositionNoise;
  /** Relation of the recording's speeds to its positions; null where they do not fit and are not used. */
  speeds: SpeedModel | null;
  /** Accuracy that the receiver claims near the crossings; null where it claims nothing. */
  accuracy: { usualMeters: number; timesMs: number[]; meters: number[] } | null;
  startLine: PassedLine;
  /** Line on which laps end where it is not the start line; otherwise null. */
  finishLine: PassedLine | null;
  sectorLines: PassedLine<SectorLine>[];
};

type ProvenFile = MeasuredTrace & { startFinishLine: TimingLine | null };

/**
 * Cuts the proof of a lap of the file, timed on this track; null where the lap was not timed over a line. Before its
 * start and after its end it holds only those fixes that the moments of the two crossings are worked out from.
 */
export function cutLapProof(
  file: ProvenFile,
  lap: Pick<Lap, 'startTimeMs' | 'lapTimeMs'>,
  track: Pick<Track, 'startFinishLine' | 'finishLine' | 'sectors'>,
): LapProof | null {
  const line = track.startFinishLine ?? file.startFinishLine;
  const start = line && findAt(file, line, lap.startTimeMs);
  const end = line && findAt(file, track.finishLine ?? line, lap.startTimeMs + lap.lapTimeMs);
  if (!line || !start || !end) return null;
  const { trace, noise, speeds } = file;
  const { fixes, intervalMs, receiverIntervalMs, timestampStepMs } = trace;
  const first = firstNeeded(fixes, start);
  const last = lastNeeded(fixes, end);
  const cut = (column: Float64Array): number[] => Array.from(column.subarray(first, last + 1));
  return {
    timesMs: cut(fixes.timesMs),
    lats: cut(fixes.lats),
    lons: cut(fixes.lons),
    speedsMetersPerSecond: cut(fixes.speedsMetersPerSecond).map((speed) =>
      Number.isFinite(speed) ? speed : null,
    ),
    partStarts: [
      0,
      ...trace.partStarts.filter((index) => index > first && index <= last).map((index) => index - first),
    ],
    intervalMs,
    receiverIntervalMs,
    timestampStepMs,
    noise: { whiteMeters: noise.whiteMeters, driftMeters: noise.driftMeters },
    speeds,
    accuracy: cutAccuracy(file, [start, end]),
    startLine: { ...plainLine(line), isForward: start.isForward },
    finishLine: track.finishLine ? { ...plainLine(track.finishLine), isForward: end.isForward } : null,
    sectorLines: track.sectors.map((sector) => ({
      ...plainLine(sector),
      name: sector.name,
      isForward: isMostlyForward(listCrossings(file, sector)),
    })),
  };
}

function plainLine({ a, b, bearingDeg }: TimingLine): TimingLine {
  return { a: { lat: a.lat, lon: a.lon }, b: { lat: b.lat, lon: b.lon }, bearingDeg };
}

function listCrossings(measured: MeasuredTrace, line: TimingLine): Crossing[] {
  const frame = toLineFrame(line);
  return frame === null ? [] : findCrossings(measured, frame);
}

/** Rounding of sums of clock times since 1970. */
const SAME_MOMENT_MS = 0.01;

function findAt(measured: MeasuredTrace, line: TimingLine, timeMs: number): Crossing | undefined {
  return listCrossings(measured, line).find(
    (crossing) => Math.abs(crossing.timeMs - timeMs) <= SAME_MOMENT_MS,
  );
}

/** Returns the first fix that a crossing depends on: a neighbour for its slope, and the window of the fit. */
function firstNeeded({ timesMs }: FixColumns, { fixIndex }: Crossing): number {
  let index = fixIndex;
  while (index > 0 && at(timesMs, index - 1) >= at(timesMs, fixIndex) - WINDOW_MS) index -= 1;
  return Math.max(0, index - 1);
}

function lastNeeded({ timesMs, length }: FixColumns, { fixIndex }: Crossing): number {
  let index = Math.min(fixIndex + 1, length - 1);
  const after = at(timesMs, index);
  while (index < length - 1 && at(timesMs, index + 1) <= after + WINDOW_MS) index += 1;
  return Math.min(length - 1, index + 1);
}

function cutAccuracy({ trace: { accuracy } }: MeasuredTrace, crossings: Crossing[]): LapProof['accuracy'] {
  if (accuracy === null) return null;
  const rows = Array.from(accuracy.timesMs.keys()).filter((row) =>
    crossings.some(({ timeMs }) => Math.abs(at(accuracy.timesMs, row) - timeMs) <= NEAR_MS),
  );
  return {
    usualMeters: accuracy.usualMeters,
    timesMs: rows.map((row) => at(accuracy.timesMs, row)),
    meters: rows.map((row) => at(accuracy.meters, row)),
  };
}
