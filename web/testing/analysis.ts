import { asTrackId } from '#contract/testing/ids.ts';
import type { Analysis, GpsSuggestion } from '#contract/upload/schemas.ts';

/** Builds the analysis of a lap file for tests: ten minutes of positions that match no track. */
export function analysis(given: Partial<Analysis> = {}): Analysis {
  return {
    gpsSuggestions: [],
    courses: [],
    gpsPoints: [],
    gpsPointCount: 6_000,
    lapCount: 0,
    bestLapTimeMs: null,
    format: null,
    gpsRateHz: null,
    ...given,
  };
}

/** Builds a track suggestion for a lap file, by default without a lap. */
export function suggestion(
  trackId: string,
  confidencePct: number,
  laps: Partial<GpsSuggestion> = {},
): GpsSuggestion {
  return { trackId: asTrackId(trackId), confidencePct, lapCount: 0, bestLapTimeMs: null, laps: [], ...laps };
}
