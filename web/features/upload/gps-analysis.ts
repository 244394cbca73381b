import type { TrackId } from '#contract/ids.ts';
import type { LapReason } from '#contract/laps/labels.ts';
import type { CourseSuggestion } from '#contract/tracks/courses.ts';
import type { GpsAnalysis, TrackTiming } from './upload-answers.ts';
import { formatCount, formatSentence } from '#web/ui/format.ts';
import type { Toast } from '#web/ui/toasts.ts';
import { describeLaps } from './upload-results.ts';

/** Finds the laps on `trackId`. Gives null where the file has to be analysed again with that track. */
export function findTiming(analysis: GpsAnalysis, trackId: TrackId): TrackTiming | null {
  return analysis.suggestions.find((suggestion) => suggestion.trackId === trackId)?.timing ?? null;
}

/** Another track must fit better by more than this, in percent, than the one that the driver has chosen. */
const CLEARLY_BETTER = 15;

/** A track that fits less, in percent, and on which no lap counts is a guess, which a driver has to confirm. */
const SURE_PCT = 50;

/** Returns true if a file surely was driven on a known track. */
export function isOfKnownTrack({ suggestions: [best] }: GpsAnalysis): boolean {
  if (best === undefined) return false;
  return best.confidencePct >= SURE_PCT || (best.timing?.bestLapTimeMs ?? null) !== null;
}

/** Finds the track that a file was driven on, where it is clearly not the chosen one; else gives null. */
export function findOwnTrack(analysis: GpsAnalysis, chosenTrackId: TrackId): TrackId | null {
  const { suggestions } = analysis;
  const [best] = suggestions;
  if (best === undefined || best.trackId === chosenTrackId || !isOfKnownTrack(analysis)) return null;
  const chosen = suggestions.find(({ trackId }) => trackId === chosenTrackId);
  if (chosen === undefined) return best.trackId;
  return best.confidencePct - chosen.confidencePct > CLEARLY_BETTER ? best.trackId : null;
}

/** Returns the laps on `trackId` from an analysis for that track. */
export function getTimingOn(analysis: GpsAnalysis, trackId: TrackId): TrackTiming {
  const { lapCount, bestLapTimeMs, message } = analysis;
  return findTiming(analysis, trackId) ?? { trackId, lapCount, bestLapTimeMs, laps: [], message };
}

/** A lap of another track, or of another layout or direction of this one, is refused for one of these. */
const REASONS_OF_OTHER_TRACKS = new Set<LapReason>(['wrong_direction', 'too_short', 'too_long', 'off_track']);

/** Returns true if another track can make laps count of which none counts on this one. */
export function mayBeElsewhere({ lapCount, laps }: TrackTiming): boolean {
  if (lapCount === 0) return true;
  const complete = laps.filter(({ status }) => status !== 'incomplete');
  return (
    complete.length > 0 &&
    complete.every(({ reasons }) => reasons.some((reason) => REASONS_OF_OTHER_TRACKS.has(reason)))
  );
}

/** Finds the known course that fits better than every track; its start line is still to be confirmed. */
export function findCourse({ courses, suggestions }: GpsAnalysis): CourseSuggestion | null {
  const [best] = courses;
  return best !== undefined && best.confidencePct > (suggestions[0]?.confidencePct ?? 0) ? best : null;
}

/** Returns true if a file fits a track or a known course. */
export function fitsAny({ courses, suggestions }: GpsAnalysis): boolean {
  return courses.length > 0 || suggestions.length > 0;
}

/** Finds the toast for an analysis that leads to no suggestion; null where it leads to one. */
export function findAnalysisProblem(analysis: GpsAnalysis): Toast | null {
  if (!analysis.hasGps) {
    return {
      title: 'No GPS data found',
      description: 'Could not extract GPS coordinates from the file. Please check your file format.',
    };
  }
  if (!fitsAny(analysis)) {
    return {
      title: 'No matching tracks',
      description: "We couldn't confidently match a track. You can still select one manually.",
    };
  }
  return null;
}

export function describeAnalysis(analysis: GpsAnalysis): string {
  if (!analysis.hasGps) return analysis.message ?? 'No GPS positions were found in this file.';
  const rate = analysis.gpsRateHz === null ? '' : ` at ${Number(analysis.gpsRateHz.toFixed(1))} Hz`;
  const read = `${formatCount(analysis.gpsPointCount)} GPS positions read${rate}.`;
  const course = findCourse(analysis);
  if (course !== null) return `${read} Driven on ${course.name}: confirm the start line.`;
  // The message is about the file if no track matches; otherwise it is about laps, and is shown with them.
  const reason =
    analysis.suggestions.length === 0 && analysis.message !== null
      ? ` ${formatSentence(analysis.message)}`
      : '';
  return `${read}${reason}`;
}

/** Describes what a file holds for the chosen track: laps, or why the upload will refuse it. */
export function describeCheck(
  analysis: GpsAnalysis,
  trackId: TrackId,
): { status: 'ready' | 'error'; detail: string } {
  if (!analysis.hasGps) return { status: 'error', detail: describeAnalysis(analysis) };
  const { lapCount, bestLapTimeMs, message } = getTimingOn(analysis, trackId);
  if (lapCount === 0)
    return { status: 'error', detail: formatSentence(message ?? 'No complete laps found on this track.') };
  return { status: 'ready', detail: describeLaps(lapCount, bestLapTimeMs) };
}
