import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { findReplayedPosition } from './replay-position-store.ts';

// An unavailable replica is asked again this often.
const RETRY_INTERVAL_MS = 3_000;

/** Says whether a replica can be used. It is usable until somebody reports otherwise, and again once it answers. */
export type ReplicaAvailability = { isAvailable: () => boolean; reportUnavailable: (error: unknown) => void };

/** Calls `onUnavailable` once each time the replica becomes unavailable. */
export function watchAvailability(pool: Pool, onUnavailable: (error: unknown) => void): ReplicaAvailability {
  let isAvailable = true;
  const waitForAnswer = async (): Promise<void> => {
    while (!isAvailable && !pool.ending) {
      await sleep(RETRY_INTERVAL_MS, undefined, { ref: false });
      isAvailable = await findReplayedPosition(pool).then(
        () => true,
        () => false,
      );
    }
  };
  return {
    isAvailable: () => isAvailable,
    reportUnavailable: (error) => {
      if (!isAvailable) return;
      isAvailable = false;
      onUnavailable(error);
      void waitForAnswer();
    },
  };
}
