import type { TimedLap } from '#contract/laps.ts';
import type { Analysis, GpsSuggestion, UploadBest, UploadResult } from '#contract/uploads.ts';

/** The laps of a file on one track. */
export type TrackTiming = {
  trackId: string;
  lapCount: number;
  bestLapTimeMs: number | null;
  /** Empty where the server answers their number only. */
  laps: TimedLap[];
  /** What the driver should know about them. */
  message: string | null;
};

export type TrackSuggestion = {
  trackId: string;
  confidencePct: number;
  /** Null where the server has timed the laps on the best suggestion only. */
  timing: TrackTiming | null;
};

/** What a lap file holds; null is unknown. */
export type GpsAnalysis = {
  /** Best match first. */
  suggestions: TrackSuggestion[];
  hasGps: boolean;
  /** A position in the middle of the recording. */
  position: { lat: number; lon: number } | null;
  gpsPointCount: number | null;
  gpsRateHz: number | null;
  lapCount: number;
  bestLapTimeMs: number | null;
  /** Why there is nothing to suggest, or what the driver should know. */
  message: string | null;
};

/** An analysis as it is answered: only a track and its confidence are certain. */
export type AnalysisAnswer = Partial<Omit<Analysis, 'gpsSuggestions'>> & {
  gpsSuggestions?: readonly AnsweredSuggestion[];
  matchingTracks?: readonly AnsweredSuggestion[];
};

type AnsweredSuggestion = Pick<GpsSuggestion, 'trackId' | 'confidencePct'> & Partial<GpsSuggestion>;

/** Reads an analysis. The suggestions may be named `gpsSuggestions` or `matchingTracks`. */
export function readAnalysis(answer: AnalysisAnswer): GpsAnalysis {
  const suggestions = [...(answer.gpsSuggestions ?? answer.matchingTracks ?? [])]
    .toSorted((one, other) => other.confidencePct - one.confidencePct)
    .map((suggestion) => readSuggestion(suggestion, answer.message ?? null));
  const points = answer.gpsPoints ?? [];
  const gpsPointCount = answer.gpsPointCount ?? answer.gpsPoints?.length ?? null;
  return {
    suggestions,
    hasGps: suggestions.length > 0 || (gpsPointCount !== null && gpsPointCount > 0),
    position: points[points.length >> 1] ?? null,
    gpsPointCount,
    ...readFigures(answer),
  };
}

function readFigures({ gpsRateHz, lapCount, bestLapTimeMs, message }: AnalysisAnswer) {
  return {
    gpsRateHz: gpsRateHz ?? null,
    lapCount: lapCount ?? 0,
    bestLapTimeMs: bestLapTimeMs ?? null,
    message: message ?? null,
  };
}

function readSuggestion(suggestion: AnsweredSuggestion, message: string | null): TrackSuggestion {
  const { trackId, confidencePct, lapCount, bestLapTimeMs, laps } = suggestion;
  const isTimed = lapCount !== undefined && bestLapTimeMs !== undefined;
  return {
    trackId,
    confidencePct,
    timing: isTimed ? { trackId, lapCount, bestLapTimeMs, laps: laps ?? [], message } : null,
  };
}

/** The answer to an upload: a list, or a list named `results`. */
export type UploadAnswer =
  readonly AnsweredResult[] | { results: readonly AnsweredResult[]; best?: UploadBest | null };

type AnsweredResult = Pick<UploadResult, 'success'> & Partial<UploadResult>;

/** The result of uploading one lap file. */
export type FileResult = {
  fileName: string;
  success: boolean;
  /** Why it failed; null for a success. */
  error: string | null;
  lapCount: number | null;
  bestLapTimeMs: number | null;
  /** Whether it failed because the same driver has uploaded it before. */
  isOwnCopy?: boolean;
};

/** What came of an upload: a result per file, and what it did to the driver's best lap, where that is answered. */
export type UploadOutcome = { results: FileResult[]; best: UploadBest | null };

/** Reads the answer to an upload; the results are in the order of the files. */
export function readUploadAnswer(answer: UploadAnswer, files: readonly File[]): UploadOutcome {
  if ('results' in answer) {
    return { results: readResults(answer.results, files), best: answer.best ?? null };
  }
  return { results: readResults(answer, files), best: null };
}

function readResults(results: readonly AnsweredResult[], files: readonly File[]): FileResult[] {
  return results.map((result, index) => ({
    fileName: result.file ?? files[index]?.name ?? `File ${index + 1}`,
    success: result.success,
    error: result.success ? null : (result.error ?? 'This file could not be processed.'),
    lapCount: result.lapCount ?? null,
    bestLapTimeMs: result.bestLapTimeMs ?? null,
    ...(result.alreadyUploaded && { isOwnCopy: true }),
  }));
}
