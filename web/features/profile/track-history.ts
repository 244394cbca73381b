import type { RefusedLap } from '#contract/sessions.ts';
import type { ListedTrack } from '#contract/tracks.ts';

/** What is used of a session; a server that tells less leaves the rest out. */
export type TrackSession = { trackId: string; refusedLaps?: RefusedLap[] | null } & Partial<
  Omit<ListedSession, 'refusedLaps'>
>;

/** A session that can be listed, and removed by its id. */
export type ListedSession = {
  id: string;
  /** ISO 8601, of the day at the track. */
  sessionDate: string;
  /** Null where no car was told. */
  carName: string | null;
  lapCount: number;
  /** Null where no lap ranks. */
  bestLapTimeMs: number | null;
  /** Empty for sessions of others. */
  refusedLaps: RefusedLap[];
};

/** What is used of a driver's best lap on a track; times in milliseconds. */
export type TrackBest = {
  yourBestLap: number;
  yourBestLapDate: string;
  topLap: number;
  lapCount?: number;
};

/** A track that a driver has been to. */
export type TrackVisit = {
  trackId: string;
  /** Null where the list of tracks does not have it (any more). */
  track: ListedTrack | null;
  /** Null where no lap there ranks. */
  best: TrackBest | null;
  lapCount: number;
  /** Newest first; none from a server that does not tell enough of them. */
  sessions: ListedSession[];
};

/**
 * The tracks of a driver, in the order of the sessions (newest first), then those that only have a best lap.
 * Laps are the ranking ones where the best lap tells their number, else those of the sessions.
 */
export function listTrackVisits(
  sessions: readonly TrackSession[],
  bests: Readonly<Record<string, TrackBest>>,
  tracks: readonly ListedTrack[],
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
      lapCount: best?.lapCount ?? countSessionLaps(drivenHere),
      sessions: drivenHere.flatMap((session) => toListed(session) ?? []),
    };
  });
}

/** A session that does not tell its laps has at least one. */
function countSessionLaps(sessions: readonly TrackSession[]): number {
  return sessions.reduce((sum, session) => sum + (session.lapCount ?? 1), 0);
}

function toListed(session: TrackSession): ListedSession | null {
  const { id, sessionDate, carName = null, lapCount, bestLapTimeMs = null } = session;
  if (id === undefined || sessionDate === undefined || lapCount === undefined) return null;
  return { id, sessionDate, carName, lapCount, bestLapTimeMs, refusedLaps: session.refusedLaps ?? [] };
}
