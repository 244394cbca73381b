import type { FastifyBaseLogger } from 'fastify';
import { forgetCalls } from '#server/kernel/rate-limits/call-count-store.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { sweepImages } from '#server/images/sweep-images.ts';
import { sweepOrphans } from '#server/uploads/sweep-orphans.ts';
import type { Storage } from './kernel/storage/storage.ts';

export type SweepingParts = {
  storage: Storage;
  database: OpenDatabase;
  log: FastifyBaseLogger;
  serverStartMs: number;
  /** Whether other copies of the server may write to the storage too. */ isShared: boolean;
};

const INTERVAL_MS = 60 * 60 * 1000;

/**
 * Removes, now and every hour, stored files that nothing refers to: those of uploads and calls that were cut off, and images
 * that nobody used; and counts of calls whose time is over. Gives what stops it.
 */
export function startSweeping({
  storage,
  database: { db, pool },
  log,
  serverStartMs,
  isShared,
}: SweepingParts): () => Promise<void> {
  const sweep = async (olderThanMs: number): Promise<void> => {
    try {
      const lapFiles = await sweepOrphans(storage, db, olderThanMs);
      await forgetCalls(pool);
      const images = await sweepImages(storage, db, olderThanMs);
      if (lapFiles + images > 0) log.info({ lapFiles, images }, 'Removed files that nothing refers to');
    } catch (error) {
      log.warn({ err: error }, 'Files that nothing refers to could not be removed');
    }
  };
  // Where only this server writes, what was stored before its start and has no row never will have one.
  let sweeping = sweep(isShared ? INTERVAL_MS : Date.now() - serverStartMs);
  const timer = setInterval(() => {
    sweeping = sweeping.then(() => sweep(INTERVAL_MS));
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await sweeping;
  };
}
