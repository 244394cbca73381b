import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { codeOf, isDatabaseAway } from './database-unavailable.ts';
import {
  findPrimaryPosition,
  findReplayedPosition,
  type LogPosition,
  noteChangePosition,
  parseLogPosition,
} from './replay-position-store.ts';

/** Who reads: a guest, or a driver and where the log stood after their last change. A request is one. */
export type Reader = { viewer: { id: string } | null; changePosition: string | null };

type WithPool = { pool: Pool };

/** Reads that may be some moments behind, except that drivers see everything that they did or have seen. */
export type LaggingReads<Source extends WithPool> = {
  /**
   * Runs `work`, which only reads: on the replica when there is one and it knows all that `reader` must see, else on the
   * primary. It may run twice, when the replica goes away in the middle of it.
   */
  read: <Result>(reader: Reader, work: (source: Source) => Promise<Result>) => Promise<Result>;
  /** To be called after a driver's change, before it is answered: what they read from then on shows it. */
  noteChange: (userId: string) => Promise<void>;
};

// A replica that has just gone is asked again this often.
const RETRY_INTERVAL_MS = 3_000;
// Some drivers at a time, while the replica lags; those who came longest ago are forgotten first.
const SEEN_MAX = 10_000;

// The replica is no worse for it, but this read has to be done elsewhere: the query was cancelled because the replica had to
// go on replaying (40001), or the primary has tables or columns by a migration that has not arrived yet.
const NOT_HERE = new Set(['40001', '42P01', '42703']);

/** For a database without a replica. */
export function readFromPrimary<Source extends WithPool>(primary: Source): LaggingReads<Source> {
  return { read: (_reader, work) => work(primary), noteChange: async () => undefined };
}

/** Reads from `replica` as long as it can be reached; tells `onAway` when that ends. */
export function readFromReplica<Source extends WithPool>(
  primary: Source,
  replica: Source,
  onAway: (error: unknown) => void = () => undefined,
): LaggingReads<Source> {
  const hasReplayed = watchReplay(replica);
  // Where the primary stood when it was read in place of the replica: what was shown once must not vanish again.
  const seen = new Map<string, LogPosition>();
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
  const mayRead = async ({ viewer, changePosition }: Reader): Promise<boolean> => {
    if (isAway) return false;
    const lastSeen = (viewer && seen.get(viewer.id)) ?? 0n;
    const changedAt = changePosition === null ? 0n : parseLogPosition(changePosition);
    try {
      const isKnown = await hasReplayed(changedAt > lastSeen ? changedAt : lastSeen);
      if (isKnown && viewer) seen.delete(viewer.id);
      return isKnown;
    } catch (error) {
      leave(error);
      return false;
    }
  };
  const remember = async (userId: string): Promise<void> => {
    seen.delete(userId);
    seen.set(userId, await findPrimaryPosition(primary.pool));
    const [oldest] = seen.keys();
    if (seen.size > SEEN_MAX && oldest !== undefined) seen.delete(oldest);
  };

  return {
    read: async (reader, work) => {
      if (await mayRead(reader)) {
        try {
          return await work(replica);
        } catch (error) {
          if (isDatabaseAway(error)) leave(error);
          else if (!NOT_HERE.has(codeOf(error) ?? '')) throw error;
        }
      }
      const result = await work(primary);
      if (reader.viewer) await remember(reader.viewer.id);
      return result;
    },
    noteChange: (userId) => noteChangePosition(primary.pool, userId),
  };
}

/** Gives whether the replica has replayed the log as far as a position. It is only asked where that is not known already. */
function watchReplay({ pool }: WithPool): (position: LogPosition) => Promise<boolean> {
  let known: LogPosition = 0n;
  // The address may lead to another server from now on.
  pool.on('connect', () => (known = 0n));
  return async (position) => {
    if (position <= known) return true;
    const replayed = await findReplayedPosition(pool);
    known = replayed;
    return position <= replayed;
  };
}
