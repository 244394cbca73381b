import { z } from 'zod';
import { trackIdSchema } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { outlineSchema, trackSchema } from '#contract/tracks/schemas.ts';
import { upperBound } from '#engine/binary-search.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { NO_TRACK_OF_SIMULATOR } from '#engine/formats/simulators.ts';
import { at, type FixColumns } from '#engine/fix-columns.ts';
import { findBestLap, isRanking, type Lap, markSimulated } from '#engine/timing/laps.ts';
import { findSectorCrossings } from '#engine/timing/sectors.ts';
import {
  buildTrackIndex,
  findTracksAround,
  matchTracks,
  type TrackIndex,
} from '#engine/matching/match-tracks.ts';
import { findNearbyTracks } from '#engine/proposal/compare-layouts.ts';
import { confirmCourse, recogniseCourses, type ConfirmedCourse } from '#engine/proposal/recognise-courses.ts';
import { courseOfLaps } from '#engine/proposal/course-of-laps.ts';
import { type OpenedLapFile, suggestTracks, type TimedLaps, timeLaps } from '#engine/time-lap-file.ts';
import type { Position } from '#engine/geo.ts';
import type { OutlinePoint, Track } from '#engine/track.ts';
import { listedOutline } from '#server/model/tracks/thin-outline.ts';
import { type FixStretch, hashPositions, hashRoundedPositions } from './hash-positions.ts';
import type {
  AnalyzedLapFile,
  AnalyzeTask,
  ConfirmCourseTask,
  DrivenOutline,
  LapTaskResult,
  SharedTracks,
  ShownTrack,
  ShowTrackTask,
  TimedLapFile,
  TimeTask,
} from './lap-tasks.ts';
import { packTraces } from './session-traces.ts';
import { withLapFile } from './with-lap-file.ts';
import { workInBackground } from '#server/kernel/workers/work-in-background.ts';

// This module runs in a worker thread, so long calculations do not block the server.
workInBackground();

/** Times the laps of the lap file at `path` on one track. */
export async function timeLapFile({ path, track }: TimeTask): Promise<LapTaskResult<TimedLapFile>> {
  return await withLapFile(path, (file) => {
    const { format, clock, startTimeMs, gpsRateHz, dropped } = file;
    const { fixes } = file.trace;
    const firstFixMs = fixes.timesMs[0] ?? null;
    const timed = markIfSimulated(file, timeLaps(file, track));
    const described = { format, clock, startTimeMs, firstFixMs, gpsRateHz, dropped };
    const hashes = { ...hashWhole(fixes), lapPositionsHashes: hashLaps(timed.laps, fixes) };
    const drivenOutline = track.outline === null ? outlineOfFastest(timed.laps, fixes) : null;
    const traces = packTraces(file, timed.laps);
    return { ...described, ...timed, ...hashes, drivenOutline, traces };
  });
}

/** Packs the traces of all laps of the lap file at `path` on one track. */
export async function traceLapFile({ path, track }: TimeTask): Promise<LapTaskResult<Uint8Array>> {
  return await withLapFile(path, (file) => packTraces(file, timeLaps(file, track).laps));
}

export { describeComparison } from './describe-comparison.ts';
export { buildLine } from './build-line.ts';
export { describeTrace } from './describe-trace.ts';
export { exportLap, exportLapFile } from './export-drive.ts';
export { reportFile } from './report-file.ts';
export { proveLap } from './prove-lap.ts';

/** The laps of a simulator do not rank with real ones. */
function markIfSimulated({ isSimulated }: OpenedLapFile, timed: TimedLaps): TimedLaps {
  if (!isSimulated) return timed;
  const laps = markSimulated(timed.laps);
  return { ...timed, laps, bestLapTimeMs: findBestLap(laps)?.lapTimeMs ?? null };
}

function hashWhole(fixes: FixColumns) {
  const positionsHash = hashPositions(fixes, { first: 0, end: fixes.length });
  return { positionsHash, roundedHashes: hashRoundedPositions(fixes) };
}

function hashLaps(laps: readonly Lap[], fixes: FixColumns): (string | null)[] {
  return laps.map((lap) => hashPositions(fixes, findLapFixes(lap, fixes)));
}

function outlineOfFastest(laps: readonly Lap[], fixes: FixColumns): DrivenOutline | null {
  const [fastest] = laps
    .filter(({ status }) => status === 'valid')
    .toSorted((a, b) => a.lapTimeMs - b.lapTimeMs);
  if (!fastest) return null;
  const { first, end } = findLapFixes(fastest, fixes);
  const path = Array.from({ length: end - first }, (_, i): OutlinePoint => [
    at(fixes.lats, first + i),
    at(fixes.lons, first + i),
  ]);
  return { lapNumber: fastest.number, points: listedOutline(path) };
}

/** Finds the fixes between the begin and the end of a lap. */
function findLapFixes({ startTimeMs, lapTimeMs }: Lap, { timesMs }: FixColumns): FixStretch {
  return { first: upperBound(timesMs, startTimeMs), end: upperBound(timesMs, startTimeMs + lapTimeMs) };
}

/** Reads the lap file at `path` and suggests the tracks on which it may have been driven. */
export async function analyzeLapFile(task: AnalyzeTask): Promise<LapTaskResult<AnalyzedLapFile>> {
  return await withLapFile(task.path, (file) => {
    const { tracks, index } = readTracks(task.tracks);
    const track = tracks.find(({ id }) => id === task.trackId);
    const { fixes } = file.trace;
    const matches = suggestTracks(file, index).map((match) => ({
      ...match,
      timed: markIfSimulated(file, match.timed),
    }));
    const onlyOne = track && markIfSimulated(file, timeLaps(file, track));
    const suggested = onlyOne ? [forTrack(track, onlyOne, matches)] : matches;
    return {
      format: file.format,
      gpsRateHz: file.gpsRateHz,
      pointCount: file.fixCount,
      points: thinPoints(file, task.pointsMax),
      ...hashWhole(fixes),
      suggestions: suggested.map(({ track: { id }, confidencePct, timed: { laps } }) => ({
        trackId: trackIdSchema.parse(id),
        confidencePct,
        laps,
        lapPositionsHashes: hashLaps(laps, fixes),
      })),
      // A driver who confirms a course gives it its start line, which in a simulator may lie elsewhere.
      courses: onlyOne || file.isSimulated ? [] : listCourses(file, task, matches[0]?.confidencePct ?? 0),
      isSimulated: file.isSimulated,
      distanceToTrackMeters: onlyOne?.distanceToTrackMeters ?? null,
    };
  });
}

/** No match with at least this percentage was ever wrong. */
const SURELY_KNOWN_PCT = 90;

/** Returns the courses that the drive was on, best first; none where it matches a track surely. */
function listCourses(
  file: OpenedLapFile,
  { tracks, courses }: AnalyzeTask,
  bestPct: number,
): AnalyzedLapFile['courses'] {
  if (bestPct >= SURELY_KNOWN_PCT) return [];
  const near = findTracksAround(file.trace, readCourses(courses));
  if (near.length === 0) return [];
  const known = findTracksAround(file.trace, readTracks(tracks).index);
  return recogniseCourses(file, near, known)
    .slice(0, LIMITS.suggestedCoursesMax)
    .map(({ timed: { laps }, ...course }) => ({ ...course, laps }));
}

/** Makes a track of a course by the laps of the file at `path`. */
export async function confirmDrawnCourse({
  path,
  course,
  lines,
  tracks,
}: ConfirmCourseTask): Promise<LapTaskResult<ConfirmedCourse | 'no_lap' | 'elsewhere'>> {
  return await withLapFile(path, (file) => {
    refuseSimulated(file);
    const known = findTracksAround(file.trace, readTracks(tracks).index);
    return confirmCourse(file, { course, lines, known });
  });
}

/** Derives a track from the laps of a file between the given lines; null where no lap crosses the lines. */
export async function showTrack({
  path,
  lines,
  tracks,
}: ShowTrackTask): Promise<LapTaskResult<ShownTrack | null>> {
  return await withLapFile(path, (file) => {
    refuseSimulated(file);
    const course = courseOfLaps(file, lines);
    if (course === null) return null;
    const { lengthMeters, outline, centerLat, centerLon, radiusMeters, sectors } = course.track;
    const ranking = course.timed.laps.filter(isRanking);
    const crossings = findSectorCrossings(file, sectors);
    const library = readTracks(tracks);
    const [match] = matchTracks(file.trace, library.index);
    const same = findNearbyTracks(course.track, library.tracks).find(
      ({ relation }) => relation?.layout === 'same' && !relation.isReverse,
    );
    return {
      lengthMeters,
      outline,
      centerLat,
      centerLon,
      radiusMeters,
      rankingLapCount: ranking.length,
      missedSectors: sectors.flatMap((_, index) => (crossings[index]?.length === 0 ? [index] : [])),
      known: match
        ? { trackId: trackIdSchema.parse(match.track.id), confidencePct: match.confidencePct }
        : null,
      sameLayoutId: same?.track.id ?? null,
    };
  });
}

/** A simulator shows no track: its line may lie elsewhere than the real one. */
function refuseSimulated({ isSimulated }: OpenedLapFile): void {
  if (isSimulated) throw new UnreadableLapFileError(NO_TRACK_OF_SIMULATOR);
}

type Match = { track: Track; confidencePct: number; timed: Pick<TimedLaps, 'laps'> };

/** Returns the match of the track that the driver chose, with 0 % where the positions do not match it. */
function forTrack(track: Track, timed: Match['timed'], matches: readonly Match[]): Match {
  const confidencePct = matches.find((match) => match.track.id === track.id)?.confidencePct ?? 0;
  return { track, confidencePct, timed };
}

/** Selects at most `pointsMax` evenly spaced positions. */
function thinPoints({ trace: { fixes } }: OpenedLapFile, pointsMax: number): Position[] {
  const step = Math.max(1, fixes.length / pointsMax);
  const count = Math.min(fixes.length, pointsMax);
  return Array.from({ length: count }, (_, i) => {
    const index = Math.floor(i * step);
    return { lat: fixes.lats[index] ?? 0, lon: fixes.lons[index] ?? 0 };
  });
}

const tracksSchema = z.array(trackSchema);

type ReadTracks = { version: string; tracks: z.infer<typeof tracksSchema>; index: TrackIndex };

let lastRead: ReadTracks | null = null;

/** Reads the tracks and their index; parses them only after a change of the library. */
function readTracks({ version, json }: SharedTracks): ReadTracks {
  if (lastRead?.version !== version) {
    const tracks = tracksSchema.parse(JSON.parse(Buffer.from(json).toString('utf8')));
    lastRead = { version, tracks, index: buildTrackIndex(tracks) };
  }
  return lastRead;
}

const coursesSchema = z.array(
  trackSchema
    .pick({ name: true, configuration: true, centerLat: true, centerLon: true, radiusMeters: true })
    .extend({ id: z.string(), lengthMeters: z.number(), outline: outlineSchema }),
);

let lastCourses: { version: string; index: TrackIndex } | null = null;

/** Reads the index of courses, as tracks without a line. */
function readCourses({ version, json }: SharedTracks): TrackIndex {
  if (lastCourses?.version !== version) {
    const courses = coursesSchema.parse(JSON.parse(Buffer.from(json).toString('utf8')));
    const index = buildTrackIndex(
      courses.map((course) => ({ ...course, startFinishLine: null, sectors: [] })),
    );
    lastCourses = { version, index };
  }
  return lastCourses.index;
}
