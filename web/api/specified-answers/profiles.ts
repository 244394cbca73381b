import type { CarModel } from '#contract/cars.ts';
import type { UserCar } from '#contract/garage.ts';
import type { RefusedLap } from '#contract/sessions.ts';

/** A session that can be listed, and deleted by its id. */
export type ListedSession = {
  id: string;
  /** ISO 8601, of the day at the track. */
  sessionDate: string;
  /** Null where the car is unknown. */
  carName: string | null;
  lapCount: number;
  /** Null where no lap ranks. */
  bestLapTimeMs: number | null;
  /** Null where no lap ranks, and where the server has no view of laps. */
  bestLapId: string | null;
  /** Empty for sessions of other drivers. */
  refusedLaps: RefusedLap[];
};

type AnsweredSession = { trackId: string; refusedLaps?: RefusedLap[] | null } & Partial<
  Omit<ListedSession, 'refusedLaps'>
>;

/** A session of a driver; `details` is null where the server answers too little to list it. */
export type DriverSession = { trackId: string; lapCount: number; details: ListedSession | null };

/** Reads sessions. One whose laps are not counted has at least one. */
export function readSessions(answer: readonly AnsweredSession[]): DriverSession[] {
  return answer.map((session) => ({
    trackId: session.trackId,
    lapCount: session.lapCount ?? 1,
    details: readDetails(session),
  }));
}

function readDetails(session: AnsweredSession): ListedSession | null {
  const { id, sessionDate, carName = null, lapCount, bestLapTimeMs = null, bestLapId = null } = session;
  if (id === undefined || sessionDate === undefined || lapCount === undefined) return null;
  const refusedLaps = session.refusedLaps ?? [];
  return { id, sessionDate, carName, lapCount, bestLapTimeMs, bestLapId, refusedLaps };
}

/** The id of a driver's lap with this time on a track, where it is the best of a session; null where it is not known. */
export function findBestLapId(
  sessions: readonly DriverSession[] | undefined,
  trackId: string | undefined,
  lapTimeMs: number,
): string | null {
  const session = sessions?.find(
    (session) => session.trackId === trackId && session.details?.bestLapTimeMs === lapTimeMs,
  );
  return session?.details?.bestLapId ?? null;
}

/** A driver's best lap on a track, by `lapCount` ranking laps where they are counted; times in milliseconds. */
export type TrackBest = { yourBestLap: number; yourBestLapDate: string; topLap: number; lapCount?: number };

/** A car's best lap on a track, which `trackId` links where it is answered; the time in milliseconds. */
export type CarBest = { trackId?: string; trackName: string; lapTime: number; uploadDate: string };

/** A car of a garage. */
export type GarageCar = Omit<UserCar, 'years' | 'status'> & Partial<Pick<UserCar, 'years' | 'status'>>;

/** A car of the library. */
export type LibraryCar = Omit<CarModel, 'status'> & Partial<Pick<CarModel, 'status'>>;
