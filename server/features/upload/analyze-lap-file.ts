import type { FastifyBaseLogger } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Analysis, GpsSuggestion } from '#contract/upload/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { describeCourses } from './describe-courses.ts';
import { findClubSettings } from '#server/model/club/club-settings-store.ts';
import { AppError } from '#server/kernel/errors.ts';
import { roundLap, summarizeLaps } from '#server/model/laps/round-lap.ts';
import type { AnalyzedLapFile, SharedTracks, Suggestion } from '#server/model/laps/timing/lap-tasks.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { UNEXPECTED_WITH_FILE, whyNoLaps } from '#server/model/laps/check-laps.ts';
import { ownerOfAll, rejectCopies, describeUploaded } from '#server/model/laps/recorded-before.ts';
import { isStoredSample } from '#server/model/laps/stored-sample.ts';
import { findLapFileKey } from '#server/model/laps/sample-files.ts';
import { findLapFileOwner, findRoundedOwner, listRecordedLaps } from '#server/model/laps/lap-file-store.ts';

const NO_MATCH = 'This file matches no track of the library.';
const NO_MATCH_OF_SIMULATOR =
  'This file was written by a simulator, and matches no track of the library; only a real drive can propose one.';

const SAMPLE =
  'This is a sample: its laps are yours to look into, compare and share, and never rank with real ones.';

const NOTHING: Analysis = {
  gpsSuggestions: [],
  courses: [],
  gpsPoints: [],
  gpsPointCount: 0,
  lapCount: 0,
  bestLapTimeMs: null,
  format: null,
  gpsRateHz: null,
};

/** The driver sent this file; the search covers all tracks, or `track` alone. */
export type LapFileToAnalyze = {
  path: string;
  sha256: string;
  byteCount: number;
  userId: UserId;
  track: Track | null;
  tracks: SharedTracks;
  courses: SharedTracks;
};

type AnalyzeDeps = { db: Database; lapWorkers: LapWorkers; log: FastifyBaseLogger };

/** Predicts the result of an upload. For a file that cannot be analyzed, the answer has only a message. */
export async function analyzeLapFile(deps: AnalyzeDeps, file: LapFileToAnalyze): Promise<Analysis> {
  const analyzed = await readInWorker(deps, file);
  return typeof analyzed === 'string'
    ? { ...NOTHING, message: analyzed }
    : await toAnalysis(deps.db, file, analyzed);
}

/** Returns a sentence with the reason where the file has nothing to analyze. */
async function readInWorker(
  { lapWorkers, log }: AnalyzeDeps,
  { path, track, tracks, courses, userId, byteCount }: LapFileToAnalyze,
): Promise<AnalyzedLapFile | string> {
  const task = { path, trackId: track?.id ?? null, tracks, courses, pointsMax: LIMITS.gpsPointsMax };
  try {
    const result = await lapWorkers.analyze(task, { userId, byteCount });
    return result.isReadable ? result.value : result.sentence;
  } catch (error) {
    // A busy server is no fault of the file.
    if (error instanceof AppError && error.code !== 'invalid_input') throw error;
    if (error instanceof AppError) return error.message;
    log.error({ err: error }, 'an analysis failed');
    return UNEXPECTED_WITH_FILE;
  }
}

async function toAnalysis(db: Database, file: LapFileToAnalyze, found: AnalyzedLapFile): Promise<Analysis> {
  const { positionsHash } = found;
  const sha256 = await findLapFileKey({ sha256: file.sha256, positionsHash }, file.userId);
  const isSample = isStoredSample(sha256);
  const analyzed = isSample ? withoutHashes(found) : found;
  const reviewed: ReviewedSuggestion[] = [];
  for (const suggestion of analyzed.suggestions)
    reviewed.push(await reviewSuggestion(db, file.userId, suggestion));
  const gpsSuggestions = reviewed.map(({ suggestion }) => suggestion);
  const best = gpsSuggestions[0];
  const refusal = await findRefusal(db, { ...file, sha256 }, analyzed, reviewed);
  const message = refusal ?? (isSample ? SAMPLE : analyzed.isSimulated ? await describeSimulated(db) : null);
  return {
    gpsSuggestions,
    courses: await describeCourses(db, analyzed.courses),
    gpsPoints: analyzed.points,
    gpsPointCount: analyzed.pointCount,
    lapCount: best?.lapCount ?? 0,
    bestLapTimeMs: best?.bestLapTimeMs ?? null,
    format: analyzed.format,
    gpsRateHz: analyzed.gpsRateHz,
    ...(message !== null && { message }),
  };
}

/** Returns a sample without the hashes that identify copies, because every driver may upload it. */
function withoutHashes(analyzed: AnalyzedLapFile): AnalyzedLapFile {
  const suggestions = analyzed.suggestions.map((suggestion) => ({ ...suggestion, lapPositionsHashes: [] }));
  return { ...analyzed, positionsHash: null, roundedHashes: [], suggestions };
}

/** The `owner` drove these laps before; an upload by this driver would be refused for that. */
type ReviewedSuggestion = { suggestion: GpsSuggestion; owner: string | undefined };

/** Rejects laps that were recorded before; an upload does the same. */
async function reviewSuggestion(
  db: Database,
  userId: UserId,
  suggestion: Suggestion,
): Promise<ReviewedSuggestion> {
  const { trackId, confidencePct, lapPositionsHashes } = suggestion;
  const hashed = suggestion.laps.map((lap, index) => ({
    ...roundLap(lap),
    positionsHash: lapPositionsHashes[index] ?? null,
  }));
  const recorded = await listRecordedLaps(db, { trackId, userId, before: null }, hashed);
  const owner = ownerOfAll(hashed, recorded);
  // A file that would be refused as a whole shows its laps as they were driven.
  const laps = owner === undefined ? rejectCopies(hashed, recorded) : hashed;
  return { suggestion: { trackId, confidencePct, ...summarizeLaps(laps), laps }, owner };
}

/** Returns the sentence for a file that a simulator wrote. */
async function describeSimulated(db: Database): Promise<string> {
  return (await findClubSettings(db))?.hasSimulatorBoards
    ? 'This file was written by a simulator: its laps rank on the simulator board of the track, and on no other.'
    : 'This file was written by a simulator: its laps are yours to look into and compare, and rank nowhere until an owner of the site switches simulator boards on (Club, Operations).';
}

/** Returns the reason why an upload of the best suggestion would be refused. */
async function findRefusal(
  db: Database,
  { sha256, userId, track }: LapFileToAnalyze,
  { positionsHash, roundedHashes, suggestions, distanceToTrackMeters, isSimulated }: AnalyzedLapFile,
  [best]: readonly ReviewedSuggestion[],
): Promise<string | null> {
  const owner =
    (await findLapFileOwner(db, { sha256, positionsHash })) ??
    (await findRoundedOwner(db, { sha256, roundedHashes, userId })) ??
    best?.owner;
  if (owner !== undefined) return describeUploaded(owner, userId);
  if (!best) return isSimulated ? NO_MATCH_OF_SIMULATOR : NO_MATCH;
  if (track === null || distanceToTrackMeters === null) return null;
  return whyNoLaps({ laps: suggestions[0]?.laps ?? [], distanceToTrackMeters }, track);
}
