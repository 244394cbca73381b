import { buildTrackShape, type CenterLine } from './center-line.ts';
import { at } from './fix-columns.ts';
import { distanceMeters } from './geo.ts';
import { readLapFile } from './formats/recognise.ts';
import type { Inflate } from './formats/unpack.ts';
import type { Clock, DropCounts, LapFile, LoggerLap } from './lap-file.ts';
import { matchTracks, type TrackIndex } from './matching/match-tracks.ts';
import { toLineFrame, type LineFrame, type TimingLine } from './timing-line.ts';
import { findTimedSpans } from './timing/lap-spans.ts';
import { findBestLap, type Lap } from './timing/laps.ts';
import { lapsFromLogger } from './timing/logger-laps.ts';
import { measureLap } from './timing/measure-lap.ts';
import { estimateNoise, type PositionNoise } from './timing/position-noise.ts';
import { findSectorCrossings } from './timing/sectors.ts';
import { cumulativeDistances } from './trace/cumulative-distance.ts';
import { correctPeriodicOffsets } from './trace/periodic-time-offsets.ts';
import type { SpeedModel } from './trace/speed-model.ts';
import { buildTrace, gpsRateHz, type Trace } from './trace/trace.ts';
import { trackFromLine, type Track } from './track.ts';
import { classifyLaps } from './validity/classify-laps.ts';
import { findStintEnds, toIncompleteLap } from './validity/stint-ends.ts';
import { gatherEvidence, type TraceEvidence } from './validity/tampering-evidence.ts';

/** Describes a lap file that has been read and put in order, ready to be timed on any track. */
export type OpenedLapFile = {
  format: string;
  clock: Clock;
  /** Positions that can be used. */
  fixCount: number;
  gpsRateHz: number | null;
  dropped: DropCounts;
  /** Epoch milliseconds of the first fix; null where the file has no date. */
  startTimeMs: number | null;
  trace: Trace;
  /** Distance driven up to every fix. */
  cumulativeMeters: Float64Array;
  speeds: SpeedModel | null;
  noise: PositionNoise;
  evidence: TraceEvidence;
  loggerLaps: LoggerLap[];
  /** The line that the logger timed on, where the file has it. */
  startFinishLine: TimingLine | null;
  /** True where a simulator wrote the file. */
  isSimulated: boolean;
};

export type TimedLaps = {
  laps: Lap[];
  /** The best of the laps that rank; null where none does. */
  bestLapTimeMs: number | null;
  /** Distance from the nearest fix to the circle around the track; 0 inside. Infinity for a file without fixes. */
  distanceToTrackMeters: number;
};

/** Reads a lap file and prepares it for timing; `inflate` unpacks compressed ones. Throws `UnreadableLapFileError` where the bytes are no lap file. */
export function openLapFile(bytes: Uint8Array, inflate: Inflate | null = null): OpenedLapFile {
  return openFixes(readLapFile(bytes, inflate));
}

/** Prepares a lap file for timing that has already been read. */
export function openFixes(lapFile: LapFile): OpenedLapFile {
  const { trace, speeds } = correctPeriodicOffsets(buildTrace(lapFile));
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
    isSimulated: lapFile.isSimulated,
  };
}

/** Times a lap file on the track's line, else on the line in the file, else by what the logger itself wrote. */
export function timeLaps(file: OpenedLapFile, track: Track): TimedLaps {
  const { frame, centerLine } = buildTrackShape(track);
  if (frame === null) return timeOnOwnLine(file, track);
  return summarize(timeOverLine(file, track, { frame, centerLine }), distanceToTrack(file.trace, track));
}

/**
 * Times a lap file on the line that the file itself names, and where it names none, by what the logger wrote. `track` is
 * where it was driven, a track without a line of its own; null where that is unknown.
 */
export function timeOnOwnLine(file: OpenedLapFile, track: Track | null = null): TimedLaps {
  const line = file.startFinishLine;
  const frame = line && toLineFrame(line);
  const distanceToTrackMeters = track === null ? 0 : distanceToTrack(file.trace, track);
  if (line === null || frame === null) {
    return summarize(lapsFromLogger(file), distanceToTrackMeters);
  }
  const timed = track ?? trackFromLine(line);
  const { centerLine } = buildTrackShape(timed);
  return summarize(timeOverLine(file, timed, { frame, centerLine }), distanceToTrackMeters);
}

/** Times laps over one line: its crossings first, then the laps between them, then which of these count. */
function timeOverLine(
  file: OpenedLapFile,
  track: Track,
  { frame, centerLine }: { frame: LineFrame; centerLine: CenterLine | null },
): Lap[] {
  const timed = findTimedSpans(file, frame, { finishLine: track.finishLine, centerLine });
  const sectorCrossings = findSectorCrossings(file, track.sectors);
  const classified = classifyLaps(file, timed, { track, frame, centerLine, sectorCrossings });
  const laps = classified.map(({ span, ...verdict }) => ({
    ...measureLap(file, span, sectorCrossings),
    ...verdict,
  }));
  const stintEnds = findStintEnds(file, timed, { track, centerLine });
  return [...laps, ...stintEnds.map((end) => toIncompleteLap(end, sectorCrossings))]
    .toSorted((a, b) => a.startTimeMs - b.startTimeMs)
    .map((lap, index) => ({ number: index + 1, ...lap }));
}

function summarize(laps: Lap[], distanceToTrackMeters: number): TimedLaps {
  return { laps, bestLapTimeMs: findBestLap(laps)?.lapTimeMs ?? null, distanceToTrackMeters };
}

/** Returns the tracks that the file may have been driven on, best first, each with the laps on it. */
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

/** Returns the distance from the fix nearest to the track's centre to the circle around the track; 0 inside, Infinity without fixes. */
function distanceToTrack({ fixes }: Trace, { centerLat, centerLon, radiusMeters }: Track): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < fixes.length && nearest > radiusMeters; index += 1) {
    const position = { lat: at(fixes.lats, index), lon: at(fixes.lons, index) };
    nearest = Math.min(nearest, distanceMeters(position, { lat: centerLat, lon: centerLon }));
  }
  return Math.max(0, nearest - radiusMeters);
}
