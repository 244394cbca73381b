import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { LapId, TrackId } from '#contract/ids.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isDamagedError, openContent } from '#server/kernel/storage/compressed.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import type { LapWorkers } from './timing/lap-workers.ts';
import { findTrace, isCurrent, type LapMoment, type StoredTrace } from './timing/session-traces.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { putTraces, readTraces } from './trace-storage.ts';

export type TraceDeps = {
  db: Database;
  storage: Storage;
  lapWorkers: LapWorkers;
  incomingFolder: string;
  log: FastifyBaseLogger;
};

type TimedFile = { trackId: TrackId; storageKey: string };

export type LapInFile = LapMoment & TimedFile & { lapId: LapId };

/**
 * Returns the trace of a lap from memory, else from the storage, else rebuilt from the raw lap file and stored.
 * `reader` is queued fairly with others whose files are read. Returns null where the file is deleted, cannot be read
 * or no longer has such a lap.
 */
export type FindLapTrace = (lap: LapInFile, reader: string) => Promise<StoredTrace | null>;

// The cache holds some thousand laps.
const BYTES_MAX = 32 * 1024 * 1024;
// An entry costs this much besides its trace.
const ENTRY_BYTES = 500;

export function openLapTraces(deps: TraceDeps): FindLapTrace {
  const cache = new LRUCache<string, StoredTrace>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ trace }) => trace.length + ENTRY_BYTES,
  });
  const makes = new Map<string, Promise<Uint8Array | null>>();

  function makeOnce(lap: LapInFile, reader: string): Promise<Uint8Array | null> {
    const { storageKey } = lap;
    const underWay = makes.get(storageKey);
    if (underWay) return underWay;
    const made = makeTraces(deps, lap, reader).finally(() => makes.delete(storageKey));
    makes.set(storageKey, made);
    return made;
  }

  return async (lap, reader) => {
    const key = `${lap.storageKey} ${lap.startOffsetMs} ${lap.lapTimeMs}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const stored = await readTraces(deps.storage, lap.storageKey);
    const packed = (stored && findTrace(stored, lap)) ?? (await find(lap, reader));
    if (packed) cache.set(key, packed);
    return packed;
  };

  async function find(lap: LapInFile, reader: string): Promise<StoredTrace | null> {
    const made = await makeOnce(lap, reader);
    return made && findTrace(made, lap);
  }
}

/** Returns the traces of all laps of a file, stored or rebuilt; null where the file is gone or unreadable. */
export async function getTracesOfFile(
  deps: TraceDeps,
  file: TimedFile,
  reader: string,
): Promise<Uint8Array | null> {
  const stored = await readTraces(deps.storage, file.storageKey);
  return stored && isCurrent(stored) ? stored : await makeTraces(deps, file, reader);
}

/** Rebuilds the traces of a lap file and stores them; null where the file is deleted or cannot be read. */
async function makeTraces(deps: TraceDeps, lap: TimedFile, reader: string): Promise<Uint8Array | null> {
  const { storage, lapWorkers, log } = deps;
  return await withStoredLapFile(deps, lap, async ({ path, track, byteCount, folder }) => {
    const traced = await lapWorkers
      .trace({ path, track }, { userId: reader, byteCount })
      .catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
        log.warn({ err: error, storageKey: lap.storageKey }, 'A stored lap file cannot be read');
        return null;
      });
    if (!traced?.isReadable) return null;
    await putTraces(storage, lap.storageKey, { traces: traced.value, workPath: join(folder, 'traces') });
    return traced.value;
  });
}

type UnpackedLapFile = { path: string; track: Track; byteCount: number; folder: string };

/**
 * Calls `use` with the raw lap file as it was sent, which is removed afterwards with its folder; null where file or track are gone,
 * or the file is damaged.
 */
export async function withStoredLapFile<Value>(
  { db, storage, incomingFolder, log }: TraceDeps,
  { storageKey, trackId }: TimedFile,
  use: (file: UnpackedLapFile) => Promise<Value>,
): Promise<Value | null> {
  const track = await findTrack(db, trackId);
  const content = track && (await openContent(storage, storageKey));
  if (!content) return null;
  const folder = await mkdtemp(join(incomingFolder, 'traces-'));
  try {
    const path = join(folder, 'lap-file');
    try {
      await pipeline(content, createWriteStream(path));
    } catch (error) {
      if (!isDamagedError(error)) throw error;
      log.warn({ err: error, storageKey }, 'A stored lap file is damaged');
      return null;
    }
    return await use({ path, track, byteCount: (await stat(path)).size, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
