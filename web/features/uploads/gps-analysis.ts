import type { TimedLap } from '#contract/laps.ts';
import type { Analysis, GpsSuggestion } from '#contract/uploads.ts';
import { formatCount } from '#web/ui/format.ts';
import type { Problem } from './submit-checks.ts';

/** The laps of a file on one track. */
export type TrackTiming = {
  trackId: string;
  lapCount: number;
  bestLapTimeMs: number | null;
  /** Empty where the server tells only how many there are. */
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

/** What a lap file holds, as far as the server tells. */
export type GpsAnalysis = {
  /** Best match first. */
  suggestions: TrackSuggestion[];
  hasGps: boolean;
  gpsPointCount: number | null;
  gpsRateHz: number | null;
  lapCount: number;
  bestLapTimeMs: number | null;
  /** Why there is nothing to suggest, or what the driver should know. */
  message: string | null;
};

/** An answer to an analysis as any server may give it: only a track and its confidence are certain. */
export type AnalysisAnswer = Partial<Omit<Analysis, 'gpsSuggestions'>> & {
  gpsSuggestions?: readonly AnsweredSuggestion[];
  matchingTracks?: readonly AnsweredSuggestion[];
};

type AnsweredSuggestion = Pick<GpsSuggestion, 'trackId' | 'confidencePct'> & Partial<GpsSuggestion>;

/**
 * Reads the answer to an analysis. The suggestions may stand under `gpsSuggestions` or `matchingTracks`,
 * and everything that goes beyond a track and its confidence may be missing.
 */
export function readAnalysis(answer: AnalysisAnswer): GpsAnalysis {
  const suggestions = [...(answer.gpsSuggestions ?? answer.matchingTracks ?? [])]
    .toSorted((one, other) => other.confidencePct - one.confidencePct)
    .map((suggestion) => readSuggestion(suggestion, answer.message ?? null));
  const gpsPointCount = answer.gpsPointCount ?? answer.gpsPoints?.length ?? null;
  return {
    suggestions,
    hasGps: suggestions.length > 0 || (gpsPointCount !== null && gpsPointCount > 0),
    gpsPointCount,
    gpsRateHz: answer.gpsRateHz ?? null,
    lapCount: answer.lapCount ?? 0,
    bestLapTimeMs: answer.bestLapTimeMs ?? null,
    message: answer.message ?? null,
  };
}

/**
 * The laps on `trackId` as far as this analysis knows them. Null where the file has to be analysed again
 * with that track: the counts of the whole answer belong to its best suggestion.
 */
export function findTiming(analysis: GpsAnalysis, trackId: string): TrackTiming | null {
  const suggestion = analysis.suggestions.find((suggestion) => suggestion.trackId === trackId);
  if (suggestion === undefined) return null;
  if (suggestion.timing !== null) return suggestion.timing;
  return suggestion === analysis.suggestions[0] ? wholeTiming(analysis, trackId) : null;
}

/** The laps on `trackId` from an analysis that was asked for that track. */
export function getTimingOn(analysis: GpsAnalysis, trackId: string): TrackTiming {
  const suggestion = analysis.suggestions.find((suggestion) => suggestion.trackId === trackId);
  return suggestion?.timing ?? wholeTiming(analysis, trackId);
}

/** What a toast says about an analysis that leads to no suggestion; null where it leads to one. */
export function findAnalysisProblem(analysis: GpsAnalysis): Problem | null {
  if (!analysis.hasGps) {
    return {
      title: 'No GPS data found',
      description: 'Could not extract GPS coordinates from the file. Please check your file format.',
    };
  }
  if (analysis.suggestions.length === 0) {
    return {
      title: 'No matching tracks',
      description: "We couldn't confidently match a track. You can still select one manually.",
    };
  }
  return null;
}

/** What was read from the file, in words. */
export function describeAnalysis(analysis: GpsAnalysis): string {
  if (!analysis.hasGps) return analysis.message ?? 'No GPS positions were found in this file.';
  // A reason why nothing matches belongs to the file; one about laps is told with them, once there is a track.
  const reason = analysis.suggestions.length === 0 && analysis.message !== null ? ` ${analysis.message}` : '';
  if (analysis.gpsPointCount === null) return `GPS positions read.${reason}`;
  const rate = analysis.gpsRateHz === null ? '' : ` at ${Number(analysis.gpsRateHz.toFixed(1))} Hz`;
  return `${formatCount(analysis.gpsPointCount)} GPS positions read${rate}.${reason}`;
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

function wholeTiming(analysis: GpsAnalysis, trackId: string): TrackTiming {
  const { lapCount, bestLapTimeMs, message } = analysis;
  return { trackId, lapCount, bestLapTimeMs, laps: [], message };
}
