import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { UserId } from '#contract/ids.ts';
import { findErrorCode, isDatabaseUnavailable } from './database-unavailable.ts';
import { type ReplicaAvailability, watchAvailability } from './replica-availability.ts';
import {
  findInsertPosition,
  findReplayedPosition,
  type LogPosition,
  recordReplayPosition,
  parseLogPosition,
} from './replay-position-store.ts';

/** A guest, or a driver and up to where a replica must have replayed their changes. A request is a reader. */
export type Reader = { viewer: { id: UserId } | null; replayPosition: string | null };

type WithPool = { pool: Pool };

/** Reads that may be some moments behind, except that drivers see everything that they changed or have seen (read your writes). */
export type ReplicaReads<Source extends WithPool> = {
  /**
   * Runs `work`, which only reads: on the replica when there is one that has replayed all that `reader` must see, else on the
   * primary. It may run twice, when the replica becomes unavailable in the middle of it.
   */
  read: <Result>(reader: Reader, work: (source: Source) => Promise<Result>) => Promise<Result>;
  /** Call it after a driver's change and before its response: all later reads of the driver show the change. */
  recordReplayPosition: (userId: UserId) => Promise<void>;
};

/** Serves a database without a replica. */
export function readFromPrimary<Source extends WithPool>(primary: Source): ReplicaReads<Source> {
  return { read: (_reader, work) => work(primary), recordReplayPosition: async () => undefined };
}

/** Reads from `replica` as long as it can be reached; calls `onUnavailable` when that ends. */
export function readFromReplica<Source extends WithPool>(
  primary: Source,
  replica: Source,
  onUnavailable: (error: unknown) => void = () => undefined,
): ReplicaReads<Source> {
  const availability = watchAvailability(replica.pool, onUnavailable);
  const views = rememberViews();
  const hasReplayed = watchReplay(replica);

  const mayReadReplica = async (reader: Reader): Promise<boolean> => {
    if (!availability.isAvailable()) return false;
    try {
      const isReplayed = await hasReplayed(views.findRequired(reader));
      if (isReplayed) views.delete(reader);
      return isReplayed;
    } catch (error) {
      availability.reportUnavailable(error);
      return false;
    }
  };
  return {
    read: async (reader, work) => {
      if (await mayReadReplica(reader)) {
        const result = await work(replica).then(
          (value) => ({ value }),
          (error: unknown) => leaveToPrimary(availability, error),
        );
        if (result) return result.value;
      }
      const value = await work(primary);
      if (reader.viewer) views.add(reader.viewer.id, await findInsertPosition(primary.pool));
      return value;
    },
    recordReplayPosition: (userId) => recordReplayPosition(primary.pool, userId),
  };
}

// The replica still works, but this read belongs on the primary: the query was cancelled because the replica had to go on
// replaying (40001), or the primary has tables or columns by a migration that has not been replayed yet.
const NOT_ON_REPLICA = new Set(['40001', '42P01', '42703']);

/** Returns where the primary can answer what the replica could not. @throws any other error */
function leaveToPrimary(availability: ReplicaAvailability, error: unknown): undefined {
  if (isDatabaseUnavailable(error)) availability.reportUnavailable(error);
  else if (!NOT_ON_REPLICA.has(findErrorCode(error) ?? '')) throw error;
}

// Drivers at a time, while the replica lags.
const VIEWS_MAX = 10_000;

/** Remembers where the primary was when a driver read there: what was shown once must not vanish again. */
function rememberViews() {
  const positions = new LRUCache<string, LogPosition>({ max: VIEWS_MAX });
  return {
    add: (userId: UserId, position: LogPosition) => void positions.set(userId, position),
    delete: ({ viewer }: Reader): void => {
      if (viewer) positions.delete(viewer.id);
    },
    /** Finds the position that a replica must have replayed for a reader. */
    findRequired: ({ viewer, replayPosition }: Reader): LogPosition => {
      const lastView = (viewer && positions.get(viewer.id)) ?? 0n;
      const lastChange = replayPosition === null ? 0n : parseLogPosition(replayPosition);
      return lastChange > lastView ? lastChange : lastView;
    },
  };
}

/** Returns whether the replica has replayed the log up to a position; asks it only where that is not known already. */
function watchReplay({ pool }: WithPool): (position: LogPosition) => Promise<boolean> {
  let known: LogPosition = 0n;
  // The address may lead to another server since then.
  pool.on('connect', () => (known = 0n));
  return async (position) => {
    if (position <= known) return true;
    const replayed = await findReplayedPosition(pool);
    known = replayed;
    return position <= replayed;
  };
}
