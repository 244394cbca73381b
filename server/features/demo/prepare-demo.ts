import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#server/kernel/database/database.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { storeLapFile } from '#server/model/laps/store-lap-file.ts';
import type * as demoWorker from './demo-worker.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { startWorkerPool, type WorkerPool } from '#server/kernel/workers/worker-pool.ts';
import { findDemo, finishDemo } from '#server/model/demo/demo-store.ts';
import { keepDrivers, type StoredDriver } from './demo-driver-store.ts';
import { holdEvents } from './hold-events.ts';
import { reviewLaps } from './review-laps.ts';
import type { DemoDriver, DemoSession } from './season.ts';

export type PrepareDeps = {
  db: Database;
  storage: Storage;
  lapWorkers: LapWorkers;
  /** Files are written here before they are stored. */
  incomingFolder: string;
  log: FastifyBaseLogger;
};

export type Preparation = {
  /** `planSeason` makes the season. */
  season: readonly DemoDriver[];
  signal: AbortSignal;
  onProgress: (driversDone: number, drivers: number) => void;
};

// A session takes well under a second to drive and to time.
const LIMITS = { timeLimitMs: 60_000, heapMegabytesMax: 256, threadsMax: 4 };

/**
 * Lets every demo driver drive their season and upload the lap files, with the code of requests. Older sessions come first,
 * driver by driver; then the last months, track by track in order of time, which make events, and so notices. Results of an interrupted
 * preparation stay. Returns whether the community is complete now: false where `signal` stopped it or it was removed meanwhile.
 */
export async function prepareDemo(deps: PrepareDeps, preparation: Preparation): Promise<boolean> {
  const { season, signal, onProgress } = preparation;
  const stored = await keepDrivers(deps.db, season);
  const drives = startWorkerPool<typeof demoWorker>('features/demo/demo-worker', 'writeLapFile', LIMITS);
  let done = 0;
  const drive = async ({ subject }: DemoDriver, session: DemoSession): Promise<boolean> => {
    const driver = stored.get(subject);
    if (driver?.fileNames.has(session.fileName)) return true;
    if (!driver || signal.aborted || (await findDemo(deps.db))?.state !== 'preparing') return false;
    await upload({ ...deps, drives }, session, driver);
    return true;
  };
  const drivePast = async (driver: DemoDriver): Promise<boolean> => {
    for (const session of driver.sessions.filter(({ isNews }) => !isNews))
      if (!(await drive(driver, session))) return false;
    done += 1;
    onProgress(done, season.length);
    return true;
  };
  const driveNews = async (news: readonly News[]): Promise<boolean> => {
    for (const { driver, session } of news) if (!(await drive(driver, session))) return false;
    return true;
  };
  try {
    const isWhole =
      (await inLanes(season, drivePast)) && (await inLanes(listNewsOfTracks(season), driveNews));
    if (!isWhole) return false;
  } finally {
    await drives.close();
  }
  await reviewLaps(deps.db, season, stored);
  await holdEvents(deps.db, season, stored);
  return await finishDemo(deps.db);
}

/** Works on items in their order, several at once; false where `work` stopped it. */
async function inLanes<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<boolean>,
): Promise<boolean> {
  const waiting = [...items];
  const lane = async (): Promise<boolean> => {
    for (let item = waiting.shift(); item; item = waiting.shift()) if (!(await work(item))) return false;
    return true;
  };
  // There is one lane more than threads: a driver whose file is being stored needs none.
  const lanes = await Promise.all(Array.from({ length: availableParallelism() + 1 }, lane));
  return lanes.every(Boolean);
}

type News = { driver: DemoDriver; session: DemoSession };

/** Lists the sessions of the last months of each track. Their order decides who loses a record to whom. */
function listNewsOfTracks(season: readonly DemoDriver[]): News[][] {
  const news = season
    .flatMap((driver) => driver.sessions.map((session) => ({ driver, session })))
    .filter(({ session }) => session.isNews)
    .toSorted((a, b) => a.session.startTimeMs - b.session.startTimeMs);
  const trackIds = [...new Set(news.map(({ session }) => session.trackId))];
  return trackIds.map((trackId) => news.filter(({ session }) => session.trackId === trackId));
}

async function upload(
  { drives, ...deps }: PrepareDeps & { drives: WorkerPool<typeof demoWorker> },
  session: DemoSession,
  { userId, userCarId }: StoredDriver,
): Promise<void> {
  const track = await findTrack(deps.db, session.trackId);
  // Administrators may have deleted the track from the library.
  if (!track || track.outline === null) return;
  const path = join(deps.incomingFolder, randomUUID());
  try {
    const { sha256, byteCount } = await drives.run('writeLapFile', { track, session, path });
    const result = await storeLapFile(
      { ...deps, driverQuotaBytes: Number.POSITIVE_INFINITY },
      {
        userId,
        userCarId,
        tireCompound: session.tire,
        videoUrl: null,
        track,
        recorded: session.isNews ? 'all' : 'none',
      },
      { name: basename(session.fileName), path, sha256, byteCount },
    );
    if (!result.success)
      deps.log.warn({ file: result.file, error: result.error }, 'a demo lap file was refused');
  } finally {
    await rm(path, { force: true });
  }
}
