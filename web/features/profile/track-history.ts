import type { LapId, TrackId } from '#contract/ids.ts';
import type { Session } from '#contract/sessions/schemas.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import type { Answer } from '#web/api/call-api.ts';
import { isTrackId } from '#web/ui/url-ids.ts';

export type TrackBest = Answer<'GET /api/laps/user/:userId/by-track'>[string];

/** A track that a driver has visited. */
export type TrackVisit = {
  trackId: TrackId;
  /** Null if the list of tracks does not have it, or no longer has it. */
  track: ListedTrack | null;
  /** Null if no lap there ranks. */
  best: TrackBest | null;
  /** The id of the best lap; null if it is not known. */
  bestLapId: LapId | null;
  /** Counts ranking laps where one ranks, else all laps of the sessions. */
  lapCount: number;
  /** The sessions, newest first. */
  sessions: Session[];
};

/** Lists the tracks of a driver in the order of the sessions (newest first), then those that only have a best lap. */
export function listTrackVisits(
  sessions: readonly Session[],
  bests: Readonly<Record<string, TrackBest>>,
  tracks: readonly ListedTrack[],
): TrackVisit[] {
  const trackById = new Map<string, ListedTrack>(tracks.map((track) => [track.id, track]));
  const trackIds = new Set([
    ...sessions.map((session) => session.trackId),
    ...Object.keys(bests).filter(isTrackId),
  ]);
  return [...trackIds].map((trackId) => {
    const best = bests[trackId] ?? null;
    const drivenHere = sessions.filter((session) => session.trackId === trackId);
    return {
      trackId,
      track: trackById.get(trackId) ?? null,
      best,
      bestLapId: best && findBestLapId(sessions, trackId, best.yourBestLap),
      lapCount: best?.lapCount ?? drivenHere.reduce((sum, { lapCount }) => sum + lapCount, 0),
      sessions: drivenHere,
    };
  });
}

/** Finds the id of a driver's lap with this time on a track, where it is the best of a session. */
export function findBestLapId(
  sessions: readonly Session[] | undefined,
  trackId: TrackId,
  lapTimeMs: number,
): LapId | null {
  const session = sessions?.find(
    (session) => session.trackId === trackId && session.bestLapTimeMs === lapTimeMs,
  );
  return session?.bestLapId ?? null;
}
