import {
  type LiveCode,
  type LiveDriver,
  liveDriverSchema,
  type LiveStateAnswer,
} from '#contract/live/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { findDrawnTrack } from '#server/model/tracks/track-store.ts';
import { beginProgress, type DriverProgress, parseProgress } from './driver-progress.ts';
import { findLiveSession, listSharings, type StoredSharing } from './live-store.ts';

/** Finds a live session with its drivers as of now, and its whole track. */
export async function findLiveState(
  db: Database,
  code: LiveCode,
): Promise<(LiveStateAnswer & { session: { track: Track } }) | undefined> {
  const session = await findLiveSession(db, code);
  const track = session && (await findDrawnTrack(db, session.trackId));
  if (!track) return undefined;
  const sharings = await listSharings(db, code);
  const { title, visibility, startedAt } = session;
  const drivers = sharings.map((sharing) => ({ sharing, progress: readProgress(sharing, track) }));
  return {
    session: { code, title, visibility, startedAt: startedAt.getTime(), track },
    drivers: drivers.map(({ sharing, progress }) => describeDriver(sharing, progress)),
    positions: drivers.flatMap(({ sharing, progress }) => {
      const { previous } = progress;
      if (previous === null || !showsPosition(sharing, progress)) return [];
      return [[sharing.number, roundDegrees(previous.lat), roundDegrees(previous.lon)] as const];
    }),
    now: Date.now(),
  };
}

/** Says whether those who watch may see where a driver is: only of drivers who show lines, and only on a lap. */
export function showsPosition(
  { showsLine }: Pick<StoredSharing, 'showsLine'>,
  { lapStartedAt }: Pick<DriverProgress, 'lapStartedAt'>,
): boolean {
  return showsLine && lapStartedAt !== null;
}

/** Rounds to a metre, which is enough for a map. */
export const roundDegrees = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** Reads how far a driver is, or begins. */
export function readProgress({ progress, startedAt }: StoredSharing, track: Track): DriverProgress {
  return progress === null
    ? beginProgress(countSectors(track), startedAt.getTime())
    : parseProgress(progress);
}

/** Counts the sectors of a lap; a track without sector lines has none. */
export function countSectors({ sectors }: Pick<Track, 'sectors'>): number {
  return sectors.length === 0 ? 0 : sectors.length + 1;
}

/** Returns the driver as those who watch see them. */
export function describeDriver(
  {
    number,
    name,
    car,
    showsLine,
    seenAt,
  }: Pick<StoredSharing, 'number' | 'name' | 'car' | 'showsLine' | 'seenAt'>,
  progress: DriverProgress,
): LiveDriver {
  return liveDriverSchema.parse({
    ...progress,
    number,
    name,
    car,
    showsLine,
    seenAt: seenAt?.getTime() ?? null,
  });
}
