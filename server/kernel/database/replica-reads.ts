import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { findErrorCode, isDatabaseUnavailable } from './database-unavailable.ts';
import {
  findInsertPosition,
  findReplayedPosition,
  type LogPosition,
  recordReplayPosition,
  parseLogPosition,
} from './replay-position-store.ts';

/** Who reads: a guest, or a driver and up to where a replica must have replayed their changes. A request is one. */
export type Reader = { viewer: { id: string } | null; replayPosition: string | null };

type WithPool = { pool: Pool };

/** Reads that may be some moments behind, except that drivers see everything that they changed or have seen (read your writes). */
export type ReplicaReads<Source extends WithPool> = {
  /**
   * Runs `work`, which only reads: on the replica when there is one that has replayed all that `reader` must see, else on the
   * primary. It may run twice, when the replica becomes unavailable in the middle of it.
   */
  read: <Result>(reader: Reader, work: (source: Source) => Promise<Result>) => Promise<Result>;
  /** To be called after a driver's change and before its response: what they read from then on shows it. */
  recordReplayPosition: (userId: string) => Promise<void>;
};

// A replica that is unavailable is tried again this often.
const RETRY_INTERVAL_MS = 3_000;
// Drivers at a time, while the replica lags.
const SEEN_MAX = 10_000;

// The replica still works, but this read belongs on the primary: the query was cancelled because the replica had to go on
// replaying (40001), or the primary has tables or columns by a migration that has not been replayed yet.
const NOT_HERE = new Set(['40001', '42P01', '42703']);

/** For a database without a replica. */
export function readFromPrimary<Source extends WithPool>(primary: Source): ReplicaReads<Source> {
  return { read: (_reader, work) => work(primary), recordReplayPosition: async () => undefined };
}

/** Reads from `replica` as long as it can be reached; calls `onAway` when that ends. */
export function readFromReplica<Source extends WithPool>(
  primary: Source,
  replica: Source,
  onAway: (error: unknown) => void = () => undefined,
): ReplicaReads<Source> {
  const hasReplayed = watchReplay(replica);
  // The position of the primary when a driver read there in place of the replica: what was shown once must not vanish again.
  const seen = new LRUCache<string, LogPosition>({ max: SEEN_MAX });
  let isAway = false;

  const leave = (error: unknown): void => {
    if (isAway) return;
    isAway = true;
    onAway(error);
    void comeBack();
  };
  const comeBack = async (): Promise<void> => {
    while (isAway && !replica.pool.ending) {
      await sleep(RETRY_INTERVAL_MS, undefined, { ref: false });
      isAway = await findReplayedPosition(replica.pool).then(
        () => false,
        () => true,
      );
    }
  };
  const mayRead = async ({ viewer, replayPosition }: Reader): Promise<boolean> => {
    if (isAway) return false;
    const lastSeen = (viewer && seen.get(viewer.id)) ?? 0n;
    const lastChange = replayPosition === null ? 0n : parseLogPosition(replayPosition);
    try {
      const isReplayed = await hasReplayed(lastChange > lastSeen ? lastChange : lastSeen);
      if (isReplayed && viewer) seen.delete(viewer.id);
      return isReplayed;
    } catch (error) {
      leave(error);
      return false;
    }
  };
  return {
    read: async (reader, work) => {
      if (await mayRead(reader)) {
        try {
          return await work(replica);
        } catch (error) {
          if (isDatabaseUnavailable(error)) leave(error);
          else if (!NOT_HERE.has(findErrorCode(error) ?? '')) throw error;
        }
      }
      const result = await work(primary);
      if (reader.viewer) seen.set(reader.viewer.id, await findInsertPosition(primary.pool));
      return result;
    },
    recordReplayPosition: (userId) => recordReplayPosition(primary.pool, userId),
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
