import type { TrackId } from '#contract/ids.ts';
import type { CourseSuggestion } from '#contract/tracks/courses.ts';
import type { Analysis, GpsSuggestion, UploadResult } from '#contract/upload/schemas.ts';
import type { Position } from '#engine/geo.ts';
import type { Answer } from '#web/api/call-api.ts';

/** The laps of a file on one track. */
export type TrackTiming = Omit<GpsSuggestion, 'confidencePct' | 'trackId'> & {
  trackId: TrackId;
  /** A message for the driver about them. */
  message: string | null;
};

export type TrackSuggestion = { trackId: TrackId; confidencePct: number; timing: TrackTiming };

/** The content of a lap file; null is unknown. */
export type GpsAnalysis = {
  suggestions: TrackSuggestion[];
  /** Known courses that were driven, the best first, each with a proposed start line. */
  courses: readonly CourseSuggestion[];
  hasGps: boolean;
  /** Holds what was driven, thinned for a small map. */
  points: readonly Position[];
  /** A position in the middle of the recording. */
  position: Position | null;
  gpsPointCount: number;
  gpsRateHz: number | null;
  lapCount: number;
  bestLapTimeMs: number | null;
  /** The reason why there are no suggestions, or another message for the driver. */
  message: string | null;
};

/** Reads an analysis of the server. */
export function readAnalysis(answer: Analysis): GpsAnalysis {
  const { gpsSuggestions, courses, gpsPoints, gpsPointCount, gpsRateHz, lapCount, bestLapTimeMs } = answer;
  const message = answer.message ?? null;
  return {
    suggestions: gpsSuggestions.map(({ confidencePct, ...laps }) => ({
      trackId: laps.trackId,
      confidencePct,
      timing: { ...laps, message },
    })),
    courses,
    hasGps: gpsPointCount > 0,
    points: gpsPoints,
    position: gpsPoints[gpsPoints.length >> 1] ?? null,
    gpsPointCount,
    gpsRateHz,
    lapCount,
    bestLapTimeMs,
    message,
  };
}

export type FileResult = UploadResult;

/** The outcome of an upload: a result per file, and the effect on the driver's best lap. */
export type UploadOutcome = Answer<'POST /api/upload'>;
