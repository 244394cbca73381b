import { buildCenterLine } from './center-line.ts';
import { distanceToTrack, cumulativeDistances, coverCenterLine } from './trace/cumulative-distance.ts';
import { at } from './fix-columns.ts';
import { readLapFile } from './formats/recognise.ts';
import {
  judgeHeading,
  isOutlineInOrder,
  judgeLap,
  lapLengthMeters,
  expectedLength,
  worstStatus,
} from './validity/lap-checks.ts';
import type { LapCase, LapStandard } from './validity/lap-checks.ts';
import { checkTampering, gatherEvidence } from './validity/tampering-evidence.ts';
import type { TraceEvidence } from './validity/tampering-evidence.ts';
import type { Clock, DropCounts, LapFile, LoggerLap } from './lap-file.ts';
import { isRanking, lapsFromLogger } from './timing/laps.ts';
import type { Lap } from './timing/laps.ts';
import { matchTracks } from './matching/match-tracks.ts';
import type { TrackIndex } from './matching/match-tracks.ts';
import { estimateNoise } from './timing/position-noise.ts';
import type { PositionNoise } from './timing/position-noise.ts';
import { areSectorsInOrder, findSectorCrossings, sectorTimesBetween } from './timing/sectors.ts';
import { fitSpeeds } from './trace/speed-model.ts';
import { correctPeriodicOffsets } from './trace/periodic-time-offsets.ts';
import type { SpeedModel } from './trace/speed-model.ts';
import { STANDING_MS, findStintEnds } from './validity/stint-ends.ts';
import type { StintEnd } from './validity/stint-ends.ts';
import { median } from './trace/timestamps.ts';
import { findTimedSpans } from './timing/lap-spans.ts';
import { toLineFrame } from './timing-line.ts';
import type { LineFrame, TimingLine } from './timing-line.ts';
import { buildTrace, gpsRateHz } from './trace/trace.ts';
import type { Trace } from './trace/trace.ts';
import { trackFromLine } from './track.ts';
import type { Track } from './track.ts';
import { lapUncertaintyMs } from './timing/uncertainty.ts';

/** A lap file that has been read and put in order, ready to be timed on any track. */
export type OpenedLapFile = {
  format: string;
  clock: Clock;
  /** Positions that can be used. */
  fixCount: number;
  gpsRateHz: number | null;
  dropped: DropCounts;
  /** Epoch milliseconds of the first fix; null where the file tells no date. */
  startTimeMs: number | null;
  trace: Trace;
  /** How far the car had gone at every fix. */
  cumulativeMeters: Float64Array;
  speeds: SpeedModel | null;
  noise: PositionNoise;
  evidence: TraceEvidence;
  loggerLaps: LoggerLap[];
  /** The line that the logger timed on, where the file tells it. */
  startFinishLine: TimingLine | null;
};

/** What a lap file comes to on one track. */
export type TimedLaps = {
  laps: Lap[];
  /** The best of the laps that rank; null where none does. */
  bestLapTimeMs: number | null;
  /** From the nearest fix to the circle around the track; 0 inside. Infinity for a file without fixes. */
  distanceToTrackMeters: number;
};

/** Reads a lap file. Throws `UnreadableLapFileError` where the bytes are none. */
export function openLapFile(bytes: Uint8Array): OpenedLapFile {
  return openFixes(readLapFile(bytes));
}

function buildCorrectedTrace(raw: Trace): { trace: Trace; speeds: SpeedModel | null } {
  const speeds = fitSpeeds(raw);
  const trace = correctPeriodicOffsets(raw, speeds);
  return { trace, speeds: trace === raw ? speeds : fitSpeeds(trace) };
}

/** What `openLapFile` gives for a lap file that has already been read. */
export function openFixes(lapFile: LapFile): OpenedLapFile {
  const { trace, speeds } = buildCorrectedTrace(buildTrace(lapFile));
  const hasDate = lapFile.clock === 'utc' || lapFile.clock === 'local';
  return {
    format: lapFile.format,
    clock: lapFile.clock,
    fixCount: trace.fixes.length,
    gpsRateHz: gpsRateHz(trace),
    dropped: trace.dropped,
    startTimeMs: hasDate && trace.fixes.length > 0 ? at(trace.fixes.timesMs, 0) : null,
    trace,
    cumulativeMeters: cumulativeDistances(trace),
    speeds,
    noise: estimateNoise(trace, speeds),
    evidence: gatherEvidence(trace, speeds),
    loggerLaps: lapFile.loggerLaps,
    startFinishLine: lapFile.startFinishLine,
  };
}

/**
 * Times a lap file on a track: on its start/finish line, and where it has none, on the line in the file or else by what
 * the logger itself wrote.
 */
export function timeLaps(file: OpenedLapFile, track: Track): TimedLaps {
  const frame = track.startFinishLine === null ? null : toLineFrame(track.startFinishLine);
  if (frame === null) return timeOnOwnLine(file, track);
  return timedLaps(lapsOverLine(file, track, frame), distanceToTrack(file.trace, track));
}

/**
 * Times a lap file on the line that the file itself tells, and where it tells none, by what the logger wrote. `track` is
 * where it was driven, a track without a line of its own; none where nobody knows.
 */
export function timeOnOwnLine(file: OpenedLapFile, track: Track | null = null): TimedLaps {
  const line = file.startFinishLine;
  const frame = line && toLineFrame(line);
  const laps =
    line === null || frame === null
      ? lapsFromLogger(file.loggerLaps, at(file.trace.fixes.timesMs, 0))
      : lapsOverLine(file, track ?? trackFromLine(line), frame);
  return timedLaps(laps, track === null ? 0 : distanceToTrack(file.trace, track));
}

function timedLaps(laps: Lap[], distanceToTrackMeters: number): TimedLaps {
  const rankingTimes = laps.filter(isRanking).map((lap) => lap.lapTimeMs);
  return {
    laps,
    bestLapTimeMs: rankingTimes.length === 0 ? null : Math.min(...rankingTimes),
    distanceToTrackMeters,
  };
}

/** The tracks that the file may have been driven on, best first, each with the laps on it. */
export function suggestTracks(
  file: OpenedLapFile,
  index: TrackIndex,
): { track: Track; confidencePct: number; timed: TimedLaps }[] {
  return matchTracks(file.trace, index).map(({ track, confidencePct }) => ({
    track,
    confidencePct,
    timed: timeLaps(file, track),
  }));
}

function lapsOverLine(file: OpenedLapFile, track: Track, frame: LineFrame): Lap[] {
  const { trace, cumulativeMeters } = file;
  const { spans, isForward, crossings } = findTimedSpans(file, frame, track.finishLine);
  const sectorCrossings = findSectorCrossings(file, track.sectors);
  const centerLine = buildCenterLine(track);
  const cases = spans.map((span): LapCase => {
    const following =
      centerLine && coverCenterLine(trace, centerLine, span.start.fixIndex, span.end.fixIndex + 1);
    return { trace, cumulativeMeters, span, coverage: following };
  });
  const standard = {
    ...expectedLength(track, centerLine, cases),
    heading: judgeHeading(
      frame.isDirected && !isForward,
      centerLine ? isOutlineInOrder(cases) : areSectorsInOrder(spans, sectorCrossings),
    ),
  };
  const lengthMeters =
    standard.lengthMeters ?? median(spans.map((span) => lapLengthMeters(cumulativeMeters, span)));
  const ends =
    lengthMeters === null
      ? []
      : findStintEnds({ trace, cumulativeMeters, crossings, isForward, spans }, { lengthMeters, centerLine });
  return [
    ...judgedLaps(file, cases, standard, sectorCrossings),
    ...ends.map((end) => incompleteLap(end, sectorCrossings)),
  ]
    .toSorted((a, b) => a.startTimeMs - b.startTimeMs)
    .map((lap, index) => ({ number: index + 1, ...lap }));
}

type UnnumberedLap = Omit<Lap, 'number'>;

function judgedLaps(
  file: OpenedLapFile,
  cases: readonly LapCase[],
  standard: LapStandard,
  sectorCrossings: number[][],
): UnnumberedLap[] {
  const evidence = checkTampering(
    file,
    cases.map(({ span }) => span),
  );
  return cases.map((lap, index) => {
    const { start, end } = lap.span;
    const findings = [...judgeLap(lap, standard), ...(evidence[index] ?? [])];
    return {
      startTimeMs: start.timeMs,
      lapTimeMs: end.timeMs - start.timeMs,
      uncertaintyMs: lapUncertaintyMs(start, end, file.noise, file.trace),
      status: worstStatus(findings),
      reasons: [...new Set(findings.map((finding) => finding.reason))],
      sectorTimesMs: sectorTimesBetween(sectorCrossings, start.timeMs, end.timeMs),
    };
  });
}

/** Its first or last sector was not driven from line to line either. */
function incompleteLap(
  { reason, startTimeMs, endTimeMs }: StintEnd,
  sectorCrossings: number[][],
): UnnumberedLap {
  const sectorTimesMs = sectorTimesBetween(sectorCrossings, startTimeMs, endTimeMs);
  const cut = reason === 'out_lap' ? 0 : sectorTimesMs.length - 1;
  return {
    startTimeMs,
    lapTimeMs: endTimeMs - startTimeMs,
    uncertaintyMs: STANDING_MS,
    status: 'incomplete',
    reasons: [reason],
    sectorTimesMs: sectorTimesMs.map((sectorTimeMs, sector) => (sector === cut ? null : sectorTimeMs)),
  };
}
