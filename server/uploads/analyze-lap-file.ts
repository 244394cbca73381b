import type { FastifyBaseLogger } from 'fastify';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks.ts';
import type { Analysis } from '#contract/uploads.ts';
import { AppError } from '#server/errors.ts';
import { roundLap, summarizeLaps } from '#server/laps/rounded-lap.ts';
import type { AnalyzedLapFile, SharedTracks } from '#server/workers/lap-tasks.ts';
import type { LapWorkers } from '#server/workers/lap-workers.ts';
import { UNEXPECTED_WITH_FILE, whyNoLaps } from './judge-laps.ts';

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

/**
 * Finds out what a lap file holds, on all tracks or on `track` alone. A file that cannot be analysed is an answer too: it
 * has no suggestion and no point, and a message that says why.
 */
export async function analyzeLapFile(
  { lapWorkers, log }: { lapWorkers: LapWorkers; log: FastifyBaseLogger },
  { path, track, tracks }: { path: string; track: Track | null; tracks: SharedTracks },
): Promise<Analysis> {
  const task = { path, trackId: track?.id ?? null, tracks, pointsMax: LIMITS.gpsPointsMax };
  try {
    const result = await lapWorkers.analyze(task);
    return result.isReadable ? toAnalysis(result.value, track) : { ...NOTHING, message: result.sentence };
  } catch (error) {
    // A server that is too busy is not the file's fault.
    if (error instanceof AppError && error.code !== 'invalid_input') throw error;
    if (error instanceof AppError) return { ...NOTHING, message: error.message };
    log.error({ err: error }, 'an analysis failed');
    return { ...NOTHING, message: UNEXPECTED_WITH_FILE };
  }
}

function toAnalysis(analyzed: AnalyzedLapFile, track: Track | null): Analysis {
  const gpsSuggestions = analyzed.suggestions.map(({ trackId, confidencePct, laps }) => {
    const rounded = laps.map(roundLap);
    return { trackId, confidencePct, ...summarizeLaps(rounded), laps: rounded };
  });
  const best = gpsSuggestions[0];
  const message = whatToKnow(analyzed, track);
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

function whatToKnow(
  { suggestions, distanceToTrackMeters }: AnalyzedLapFile,
  track: Track | null,
): string | null {
  const [best] = suggestions;
  if (!best) return NO_MATCH;
  if (track === null || distanceToTrackMeters === null) return null;
  return whyNoLaps({ laps: best.laps, distanceToTrackMeters }, track);
}
