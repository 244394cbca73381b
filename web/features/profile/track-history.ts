import {
  findBestLapId,
  type DriverSession,
  type ListedSession,
  type TrackBest,
} from '#web/api/specified-answers/profiles.ts';
import type { LibraryTrack } from '#web/api/specified-answers/tracks.ts';

/** A track that a driver has been to. */
export type TrackVisit = {
  trackId: string;
  /** Null where the list of tracks does not have it (any more). */
  track: LibraryTrack | null;
  /** Null where no lap there ranks. */
  best: TrackBest | null;
  /** Of the best lap, where it is known. */
  bestLapId: string | null;
  lapCount: number;
  /** Newest first; none where the server answers too little of them. */
  sessions: ListedSession[];
};

/**
 * The tracks of a driver, in the order of the sessions (newest first), then those that only have a best lap.
 * Laps are the ranking ones where the best lap has their number, else those of the sessions.
 */
export function listTrackVisits(
  sessions: readonly DriverSession[],
  bests: Readonly<Record<string, TrackBest>>,
  tracks: readonly LibraryTrack[],
): TrackVisit[] {
  const trackById = new Map(tracks.map((track) => [track.id, track]));
  const trackIds = new Set([...sessions.map((session) => session.trackId), ...Object.keys(bests)]);
  return [...trackIds].map((trackId) => {
    const best = bests[trackId] ?? null;
    const drivenHere = sessions.filter((session) => session.trackId === trackId);
    return {
      trackId,
      track: trackById.get(trackId) ?? null,
      best,
      bestLapId: best && findBestLapId(sessions, trackId, best.yourBestLap),
      lapCount: best?.lapCount ?? drivenHere.reduce((sum, { lapCount }) => sum + lapCount, 0),
      sessions: drivenHere.flatMap(({ details }) => details ?? []),
    };
  });
}
