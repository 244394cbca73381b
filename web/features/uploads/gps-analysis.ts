import type { GpsAnalysis, TrackTiming } from '#web/api/specified-answers/uploads.ts';
import { formatCount } from '#web/ui/format.ts';
import type { Toast } from '#web/ui/toasts.ts';
import { describeLaps } from './upload-results.ts';

/**
 * Finds the laps on `trackId`, as far as this analysis knows them. Gives null where the file has to be analysed again
 * with that track: the counts of the whole answer belong to its best suggestion.
 */
export function findTiming(analysis: GpsAnalysis, trackId: string): TrackTiming | null {
  const suggestion = analysis.suggestions.find((suggestion) => suggestion.trackId === trackId);
  if (suggestion === undefined) return null;
  if (suggestion.timing !== null) return suggestion.timing;
  return suggestion === analysis.suggestions[0] ? wholeTiming(analysis, trackId) : null;
}

/** Another track must fit better by more than this, in percent, than the one that the driver has chosen. */
const CLEARLY_BETTER = 15;

/** Finds the track that a file was driven on, where it is clearly not the chosen one; else gives null. */
export function findOwnTrack({ suggestions }: GpsAnalysis, chosenTrackId: string): string | null {
  const [best] = suggestions;
  if (best === undefined || best.trackId === chosenTrackId) return null;
  const chosen = suggestions.find(({ trackId }) => trackId === chosenTrackId);
  if (chosen === undefined) return best.trackId;
  return best.confidencePct - chosen.confidencePct > CLEARLY_BETTER ? best.trackId : null;
}

/** Gives the laps on `trackId` from an analysis that was asked for that track. */
export function getTimingOn(analysis: GpsAnalysis, trackId: string): TrackTiming {
  const suggestion = analysis.suggestions.find((suggestion) => suggestion.trackId === trackId);
  return suggestion?.timing ?? wholeTiming(analysis, trackId);
}

/** Finds the toast for an analysis that leads to no suggestion; null where it leads to one. */
export function findAnalysisProblem(analysis: GpsAnalysis): Toast | null {
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

/** Describes what was read from the file. */
export function describeAnalysis(analysis: GpsAnalysis): string {
  if (!analysis.hasGps) return analysis.message ?? 'No GPS positions were found in this file.';
  // The message is about the file only where no track matches; else it is about laps, and is shown with them.
  const reason = analysis.suggestions.length === 0 && analysis.message !== null ? ` ${analysis.message}` : '';
  if (analysis.gpsPointCount === null) return `GPS positions read.${reason}`;
  const rate = analysis.gpsRateHz === null ? '' : ` at ${Number(analysis.gpsRateHz.toFixed(1))} Hz`;
  return `${formatCount(analysis.gpsPointCount)} GPS positions read${rate}.${reason}`;
}

/** Describes what a file holds for the chosen track: laps, or why the upload will refuse it. */
export function describeCheck(
  analysis: GpsAnalysis,
  trackId: string,
): { status: 'ready' | 'error'; detail: string } {
  if (!analysis.hasGps) return { status: 'error', detail: describeAnalysis(analysis) };
  const { lapCount, bestLapTimeMs, message } = getTimingOn(analysis, trackId);
  if (lapCount === 0) return { status: 'error', detail: message ?? 'No complete laps found on this track.' };
  return { status: 'ready', detail: describeLaps(lapCount, bestLapTimeMs) };
}

function wholeTiming(analysis: GpsAnalysis, trackId: string): TrackTiming {
  const { lapCount, bestLapTimeMs, message } = analysis;
  return { trackId, lapCount, bestLapTimeMs, laps: [], message };
}
