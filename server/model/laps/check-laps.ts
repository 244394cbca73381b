import type { Lap } from '#engine/timing/laps.ts';
import type { Track } from '#engine/track.ts';

export type TimedOnTrack = { laps: readonly Lap[]; distanceToTrackMeters: number };

/** Answers an unexpected failure, which is a bug. */
export const UNEXPECTED_WITH_FILE = 'Something went wrong on our side with this file. Please try again.';

// Nearer than this, a file may still belong to the track: somebody recorded in the paddock only.
const AWAY_MIN_METERS = 1_000;

/** Returns a sentence for the driver that says why a file has no laps to store for `track`; null where it has laps. */
export function whyNoLaps({ laps, distanceToTrackMeters }: TimedOnTrack, track: Track): string | null {
  if (distanceToTrackMeters >= AWAY_MIN_METERS && Number.isFinite(distanceToTrackMeters)) {
    return `This file was recorded ${formatKilometers(distanceToTrackMeters)} km away from ${track.name}.`;
  }
  if (laps.some(({ status }) => status !== 'incomplete')) return null;
  return track.startFinishLine === null
    ? 'This track has no start/finish line yet.'
    : `No complete laps found on ${track.name}.`;
}

/** The distance on a plane differs from that on the globe beyond this. */
const MEASURED_MAX_METERS = 1_000_000;

function formatKilometers(meters: number): string {
  return meters > MEASURED_MAX_METERS ? 'more than 1,000' : `${Math.round(meters / 1_000)}`;
}
