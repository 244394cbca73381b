import { buildCenterLine } from '../center-line.ts';
import { firstFixAfter } from '../comparison/lap-trace.ts';
import { measurePace, motorProbability, type Pace } from '../matching/motor-detection.ts';
import type { OpenedLapFile, TimedLaps } from '../time-lap-file.ts';
import { type Lap, isRanking } from '../timing/laps.ts';
import type { Track } from '../track.ts';
import { gentleLapSeconds } from '../validity/slowest-lap.ts';
import { courseOfLaps, isWholeLap, type Course, type CourseLines } from './course-of-laps.ts';
import { buildDrivenPath } from './driven-path.ts';
import { findLoggerLines } from './logger-line.ts';
import { lineAcrossPath, rankLinePlaces } from './place-line.ts';
import { findRacedRun } from './raced-run.ts';
import { findRepeatedLap } from './repeated-lap.ts';

/** Says where lines come from: named in the file, where its laps begin, or where the drive shows a safe place. */
export type LineSource = 'file' | 'logger_laps' | 'drive';

/** Describes a track that a drive may have been on, with the laps of the file on it. */
export type TrackProposal = {
  kind: 'circuit' | 'stage';
  lineSource: LineSource;
  /** Confidence that the track is raced on and that its lines are right, 0 to 100. */
  confidencePct: number;
  track: Track;
  timed: TimedLaps;
};

/** Returns the tracks that a drive suggests, the best first; none for a drive that was not raced. Takes some tenths of a second. */
export function proposeTracks(file: OpenedLapFile): TrackProposal[] {
  const proposals: TrackProposal[] = [];
  for (const candidate of listCandidates(file)) {
    const course = courseOfLaps(file, candidate.lines);
    const confidencePct = course === null ? 0 : rateConfidence(file, course, candidate);
    if (course === null || confidencePct === 0) continue;
    const kind = candidate.lines.finishLine === null ? 'circuit' : 'stage';
    const proposal = { kind, lineSource: candidate.lineSource, confidencePct, ...course } as const;
    if (!proposals.some((other) => isSameLayout(other, proposal))) proposals.push(proposal);
  }
  return proposals.toSorted((a, b) => b.confidencePct - a.confidencePct);
}

type Candidate = {
  lineSource: LineSource;
  lines: CourseLines;
  /** Length of the run that the lines were made for; null where laps tell the length. */
  runMeters: number | null;
};

/** Returns lines to try, the most trustworthy first. */
function listCandidates(file: OpenedLapFile): Candidate[] {
  const found: Candidate[] = [];
  const { startFinishLine } = file;
  if (startFinishLine !== null)
    found.push({
      lineSource: 'file',
      lines: { startFinishLine, finishLine: null, sectors: null },
      runMeters: null,
    });
  const logged = findLoggerLines(file);
  if (logged !== null)
    found.push({ lineSource: 'logger_laps', lines: { ...logged, sectors: null }, runMeters: null });
  const driven = findDriveLines(file);
  if (driven !== null) found.push({ lineSource: 'drive', ...driven });
  return found;
}

function findDriveLines(file: OpenedLapFile): Omit<Candidate, 'lineSource'> | null {
  const path = buildDrivenPath(file.trace, file.cumulativeMeters);
  if (path === null) return null;
  const lap = findRepeatedLap(path);
  if (lap === null) {
    const run = findRacedRun(path);
    if (run === null) return null;
    const { startFinishLine, finishLine, lengthMeters } = run;
    return { lines: { startFinishLine, finishLine, sectors: null }, runMeters: lengthMeters };
  }
  const [place] = rankLinePlaces(path, lap);
  if (place === undefined) return null;
  const startFinishLine = lineAcrossPath(path, place.point);
  return { lines: { startFinishLine, finishLine: null, sectors: null }, runMeters: null };
}

/** Only the better line of two lines on the same circuit is of use. */
const SAME_LENGTH_SHARE = 0.05;

function isSameLayout(one: TrackProposal, other: TrackProposal): boolean {
  if (one.kind !== other.kind) return one.kind === 'circuit';
  const [length, otherLength] = [one.track.lengthMeters ?? 0, other.track.lengthMeters ?? 0];
  return Math.abs(length - otherLength) <= SAME_LENGTH_SHARE * length;
}

/** More laps around a track make it surer: a path that is driven once or twice may be a detour. */
const CONFIDENCE_PCT_BY_LAPS = [0, 60, 80, 90, 95];
/** The safest place on a drive is not always where other drivers have the line. */
const OWN_LINE_FACTOR = 0.9;
/** A device timed laps, but it was no race: a loop of streets. */
const SLOW_FACTOR = 0.3;

const RUN_SHARE_MIN = 0.9;

/** Returns 0 where the drive was no race and nothing in the file says otherwise. */
function rateConfidence(
  file: OpenedLapFile,
  { track, timed }: Course,
  { lineSource, runMeters }: Candidate,
): number {
  // The car passed the finish before the end of the run, or the start after its beginning: it drove in loops.
  if (runMeters !== null && (track.lengthMeters ?? 0) < RUN_SHARE_MIN * runMeters) return 0;
  const whole = timed.laps.filter(isWholeLap).toSorted((a, b) => a.lapTimeMs - b.lapTimeMs);
  const [best] = whole;
  if (best === undefined) return 0;
  const ranking = timed.laps.filter(isRanking).length;
  const byLaps = CONFIDENCE_PCT_BY_LAPS[Math.min(whole.length, CONFIDENCE_PCT_BY_LAPS.length - 1)] ?? 0;
  const pace = measureLapPace(file, best);
  const raced = racedProbability(pace, track, best, whole.length);
  const isQuick =
    pace.metersPerSecond >= TRAFFIC_METERS_PER_SECOND || pace.wattsPerKilogram >= RACED_WATTS_PER_KILOGRAM;
  if (lineSource === 'drive' && !isQuick) return 0;
  if (lineSource === 'drive') return Math.round(OWN_LINE_FACTOR * byLaps * raced);
  return Math.round(byLaps * (raced === 0 || ranking === 0 ? SLOW_FACTOR : raced));
}

function measureLapPace({ trace }: OpenedLapFile, { startTimeMs, lapTimeMs }: Lap): Pace {
  const first = firstFixAfter(trace.fixes, startTimeMs);
  return measurePace(trace, first, firstFixAfter(trace.fixes, startTimeMs + lapTimeMs));
}

/** The best of few laps must be clearly quicker than a drive through traffic: somebody may have driven around a block of houses twice. */
const SURELY_QUICK_SHARE = 0.8;
const SURELY_RACED_LAPS = 3;
const RACED_WATTS_PER_KILOGRAM = 5;
/** Traffic around a block of houses is slower than this on average. */
const TRAFFIC_METERS_PER_SECOND = 14;

function racedProbability(pace: Pace, track: Track, best: Lap, laps: number): number {
  const motor = motorProbability(pace, track.lengthMeters ?? 0);
  const centerLine = buildCenterLine(track);
  if (centerLine === null || motor === 0) return 0;
  const share = best.lapTimeMs / 1000 / gentleLapSeconds(centerLine);
  if (share >= 1) return 0;
  const isSure = share < SURELY_QUICK_SHARE && pace.wattsPerKilogram >= RACED_WATTS_PER_KILOGRAM;
  if (laps >= SURELY_RACED_LAPS || isSure) return motor;
  return 0;
}
