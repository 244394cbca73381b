import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#server/kernel/database/database.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { findTrack } from '#server/tracks/track-store.ts';
import { processUpload } from '#server/uploads/process-upload.ts';
import type * as demoWorker from '#server/demo/demo-worker.ts';
import type { LapWorkers } from '#server/timing/lap-workers.ts';
import { startWorkerPool, type WorkerPool } from '#server/kernel/workers/worker-pool.ts';
import { findDemo, finishDemo, keepDrivers, type StoredDriver } from './demo-store.ts';
import type { DemoDriver, DemoSession } from './season.ts';

export type PrepareParts = {
  db: Database;
  storage: Storage;
  lapWorkers: LapWorkers;
  /** For files on their way in. */
  incomingFolder: string;
  log: FastifyBaseLogger;
};

export type Preparation = {
  /** Who drives what where: `planSeason`. */
  season: readonly DemoDriver[];
  signal: AbortSignal;
  onProgress: (driversDone: number, drivers: number) => void;
};

// A session is driven and timed in well under a second each.
const LIMITS = { timeLimitMs: 60_000, heapMegabytesMax: 256, threadsMax: 4 };

/**
 * Lets every demo driver drive their season and upload the lap files, by the very code that a request goes through. What is there
 * already, from a preparation that was cut off, stays. Gives whether the community is whole now: not where `signal` stopped it
 * or it was removed meanwhile.
 */
export async function prepareDemo(parts: PrepareParts, preparation: Preparation): Promise<boolean> {
  const { season, signal, onProgress } = preparation;
  const stored = await keepDrivers(parts.db, season);
  const drives = startWorkerPool<typeof demoWorker>('demo/demo-worker', 'writeLapFile', LIMITS);
  const waiting = [...season];
  let done = 0;
  const lane = async (): Promise<void> => {
    for (let driver = waiting.shift(); driver; driver = waiting.shift()) {
      const known = stored.get(driver.subject);
      if (!known || !(await driveSeason({ ...parts, drives }, driver, known, signal))) return;
      done += 1;
      onProgress(done, season.length);
    }
  };
  try {
    // One more than threads: while its file is being stored, a driver needs none.
    await Promise.all(Array.from({ length: availableParallelism() + 1 }, lane));
  } finally {
    await drives.close();
  }
  return done === season.length && (await finishDemo(parts.db));
}

type DriveParts = PrepareParts & { drives: WorkerPool<typeof demoWorker> };

/** Gives false where it was stopped before its end. */
async function driveSeason(
  parts: DriveParts,
  { sessions }: DemoDriver,
  driver: StoredDriver,
  signal: AbortSignal,
): Promise<boolean> {
  for (const session of sessions) {
    if (driver.fileNames.has(session.fileName)) continue;
    if (signal.aborted || (await findDemo(parts.db))?.state !== 'preparing') return false;
    await upload(parts, session, driver);
  }
  return true;
}

async function upload(
  { drives, ...parts }: DriveParts,
  session: DemoSession,
  { userId, userCarId }: StoredDriver,
): Promise<void> {
  const track = await findTrack(parts.db, session.trackId);
  // Administrators may take tracks out of the library.
  if (!track || track.outline === null) return;
  const path = join(parts.incomingFolder, randomUUID());
  try {
    const { sha256, byteCount } = await drives.run('writeLapFile', { track, session, path });
    const result = await processUpload(
      { ...parts, driverQuotaBytes: Number.POSITIVE_INFINITY },
      { userId, userCarId, tireCompound: session.tire, videoUrl: null, track, recorded: 'none' },
      { name: basename(session.fileName), path, sha256, byteCount },
    );
    if (!result.success)
      parts.log.warn({ file: result.file, error: result.error }, 'a demo lap file was refused');
  } finally {
    await rm(path, { force: true });
  }
}
