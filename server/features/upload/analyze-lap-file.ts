import type { FastifyBaseLogger } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Analysis, GpsSuggestion } from '#contract/upload/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { roundLap, summarizeLaps } from '#server/model/laps/round-lap.ts';
import type { AnalyzedLapFile, SharedTracks, Suggestion } from '#server/model/laps/timing/lap-tasks.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { UNEXPECTED_WITH_FILE, whyNoLaps } from '#server/model/laps/check-laps.ts';
import { ownerOfAll, rejectCopies, sayUploaded } from '#server/model/laps/recorded-before.ts';
import { findLapFileOwner, findRoundedOwner, listRecordedLaps } from '#server/model/laps/lap-file-store.ts';

const NO_MATCH = 'This file matches no track of the library.';

const NOTHING: Analysis = {
  gpsSuggestions: [],
  gpsPoints: [],
  gpsPointCount: 0,
  lapCount: 0,
  bestLapTimeMs: null,
  format: null,
  gpsRateHz: null,
};

/** What was sent, by whom, and on which tracks to look: on all, or on `track` alone. */
export type LapFileToAnalyze = {
  path: string;
  sha256: string;
  byteCount: number;
  userId: UserId;
  track: Track | null;
  tracks: SharedTracks;
};

type AnalyzeDeps = { db: Database; lapWorkers: LapWorkers; log: FastifyBaseLogger };

/**
 * Finds out what a lap file holds, and what an upload of it would come to. A file that cannot be analysed is an answer too: it
 * has no suggestion and no point, and a message that says why.
 */
export async function analyzeLapFile(deps: AnalyzeDeps, file: LapFileToAnalyze): Promise<Analysis> {
  const analyzed = await readInWorker(deps, file);
  return typeof analyzed === 'string'
    ? { ...NOTHING, message: analyzed }
    : await toAnalysis(deps.db, file, analyzed);
}

/** Gives a sentence where there is nothing to analyse. */
async function readInWorker(
  { lapWorkers, log }: AnalyzeDeps,
  { path, track, tracks, userId, byteCount }: LapFileToAnalyze,
): Promise<AnalyzedLapFile | string> {
  const task = { path, trackId: track?.id ?? null, tracks, pointsMax: LIMITS.gpsPointsMax };
  try {
    const result = await lapWorkers.analyze(task, { userId, byteCount });
    return result.isReadable ? result.value : result.sentence;
  } catch (error) {
    // A server that is too busy is not the file's fault.
    if (error instanceof AppError && error.code !== 'invalid_input') throw error;
    if (error instanceof AppError) return error.message;
    log.error({ err: error }, 'an analysis failed');
    return UNEXPECTED_WITH_FILE;
  }
}

async function toAnalysis(
  db: Database,
  file: LapFileToAnalyze,
  analyzed: AnalyzedLapFile,
): Promise<Analysis> {
  const judged: JudgedSuggestion[] = [];
  for (const suggestion of analyzed.suggestions) judged.push(await judge(db, file.userId, suggestion));
  const gpsSuggestions = judged.map(({ suggestion }) => suggestion);
  const best = gpsSuggestions[0];
  const message = await whatToKnow(db, file, analyzed, judged);
  return {
    gpsSuggestions,
    gpsPoints: analyzed.points,
    gpsPointCount: analyzed.pointCount,
    lapCount: best?.lapCount ?? 0,
    bestLapTimeMs: best?.bestLapTimeMs ?? null,
    format: analyzed.format,
    gpsRateHz: analyzed.gpsRateHz,
    ...(message !== null && { message }),
  };
}

/** `owner`: whose laps these are, where an upload would be refused for them. */
type JudgedSuggestion = { suggestion: GpsSuggestion; owner: string | undefined };

/** Rejects laps that were recorded before, as an upload does. */
async function judge(db: Database, userId: UserId, suggestion: Suggestion): Promise<JudgedSuggestion> {
  const { trackId, confidencePct, lapPositionsHashes } = suggestion;
  const hashed = suggestion.laps.map((lap, index) => ({
    ...roundLap(lap),
    positionsHash: lapPositionsHashes[index] ?? null,
  }));
  const recorded = await listRecordedLaps(db, { trackId, userId, before: null }, hashed);
  const owner = ownerOfAll(hashed, recorded);
  // Of a file that is refused as a whole, the laps are shown as they were driven.
  const laps = owner === undefined ? rejectCopies(hashed, recorded) : hashed;
  return { suggestion: { trackId, confidencePct, ...summarizeLaps(laps), laps }, owner };
}

/** Why an upload would be refused; of several suggestions, on the best. */
async function whatToKnow(
  db: Database,
  { sha256, userId, track }: LapFileToAnalyze,
  { positionsHash, roundedHashes, suggestions, distanceToTrackMeters }: AnalyzedLapFile,
  [best]: readonly JudgedSuggestion[],
): Promise<string | null> {
  const owner =
    (await findLapFileOwner(db, { sha256, positionsHash })) ??
    (await findRoundedOwner(db, { sha256, roundedHashes, userId })) ??
    best?.owner;
  if (owner !== undefined) return sayUploaded(owner, userId);
  if (!best) return NO_MATCH;
  if (track === null || distanceToTrackMeters === null) return null;
  return whyNoLaps({ laps: suggestions[0]?.laps ?? [], distanceToTrackMeters }, track);
}
