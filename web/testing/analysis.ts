import { courseIdSchema } from '#contract/ids.ts';
import { asTrackId } from '#contract/testing/ids.ts';
import type { CourseSuggestion } from '#contract/tracks/courses.ts';
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

/** Builds a course that a lap file was driven on, for tests. */
export function courseSuggestion(name: string, confidencePct: number): CourseSuggestion {
  return {
    courseId: courseIdSchema.parse('00000000-0000-4000-8000-000000000001'),
    name,
    configuration: null,
    location: null,
    country: 'Italy',
    lengthMeters: 1302,
    origin: {
      set: 'open-racetrack-db',
      title: 'Open Racetrack Database',
      sourceUrl: 'https://tracks.example',
      licence: 'ODbL 1.0',
      attribution: '© OpenStreetMap contributors',
    },
    confidencePct,
    isReversed: false,
    lineSource: 'logger_laps',
    startFinishLine: { a: { lat: 45, lon: 12 }, b: { lat: 45, lon: 12.0003 }, bearingDeg: 0 },
    outline: [],
    lapCount: 0,
    bestLapTimeMs: null,
    laps: [],
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
