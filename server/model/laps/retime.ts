import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SessionId, TrackId } from '#contract/ids.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isDamagedError, openContent } from '#server/kernel/storage/compressed.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { asTimed } from './leave-out.ts';
import { putTraces } from './trace-storage.ts';
import { toLocalIso } from '#server/model/tracks/local-time.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import type { TimedLapFile } from './timing/lap-tasks.ts';
import type { LapWorkers } from './timing/lap-workers.ts';
import { whyNoLaps } from './check-laps.ts';
import { classifySlowLaps } from './classify-slow-laps.ts';
import { lapsToStore } from './laps-to-store.ts';
import {
  confirmLaps,
  listSessionsToRetime,
  listStoredLaps,
  recordHashes,
  replaceLaps,
  type StoredLap,
  type StoredSession,
} from './retime-store.ts';
import { rejectCopies } from './recorded-before.ts';
import { isStoredSample } from './stored-sample.ts';
import { markSample } from './sample-files.ts';
import { sessionStart } from './session-start.ts';
import { findRecordMs } from './slow-laps-store.ts';
import { listRecordedLaps, type NewLap } from './lap-file-store.ts';

export type RetimeDeps = {
  db: Database;
  storage: Storage;
  lapWorkers: LapWorkers;
  /** Holds the lap file that is being timed. */
  workFolder: string;
};

export type RetimeOptions = {
  /** Is null for all tracks. */
  trackId: TrackId | null;
  /** Limits the work to sessions of the track after this one. */
  afterSessionId?: SessionId | null;
  isDryRun: boolean;
};

/** Describes the result of one session. A session that fails keeps its laps unchanged. */
export type RetimedSession = { session: StoredSession; track: Track } & (
  | { outcome: 'unchanged' }
  | { outcome: 'changed'; before: readonly StoredLap[]; after: readonly StoredLap[] }
  | { outcome: 'failed'; sentence: string }
);

/**
 * Times the lap files of all sessions again, with today's engine on today's tracks, and stores what comes out otherwise than
 * before: one transaction for each session. Sessions that are removed meanwhile are passed over.
 */
export async function* retimeSessions(
  deps: RetimeDeps,
  { trackId, afterSessionId = null, isDryRun }: RetimeOptions,
): AsyncGenerator<RetimedSession> {
  let track: Track | undefined;
  for await (const session of listSessions(deps.db, trackId, afterSessionId)) {
    if (track?.id !== session.trackId) track = await findTrack(deps.db, session.trackId);
    if (!track) continue;
    const retimed = await retimeSession(deps, session, track, isDryRun);
    if (retimed) yield retimed;
  }
}

async function* listSessions(
  db: Database,
  trackId: TrackId | null,
  afterSessionId: SessionId | null,
): AsyncGenerator<StoredSession> {
  const after = trackId === null || afterSessionId === null ? null : { trackId, id: afterSessionId };
  let page = await listSessionsToRetime(db, trackId, after);
  while (page.length > 0) {
    yield* page;
    page = await listSessionsToRetime(db, trackId, page.at(-1) ?? null);
  }
}

async function retimeSession(
  deps: RetimeDeps,
  session: StoredSession,
  track: Track,
  isDryRun: boolean,
): Promise<RetimedSession | null> {
  const { db } = deps;
  const timed = await timeStored(deps, session, track);
  if (typeof timed === 'string') return { session, track, outcome: 'failed', sentence: timed };
  // A file that has no date keeps the one that it was given when it came.
  const startedAt = sessionStart(timed, track.timeZone, session.startedAt);
  const isSample = isStoredSample(session.lapFileSha256);
  const timedLaps = lapsToStore(timed, startedAt);
  const newLaps = isSample ? markSample(timedLaps) : await withoutCopies(db, session, timedLaps);
  const after = classifySlowLaps(newLaps, await findRecordMs(db, track.id));
  // Both without the driver's wish to leave laps out, which is kept.
  const before = (await listStoredLaps(db, session)).map(asTimed);
  if (!isDryRun && !isSample) await recordHashes(db, session, timed);
  const sessionDate = toLocalIso(startedAt, track.timeZone);
  if (isSame(before, after) && sessionDate === session.sessionDate) {
    if (!isDryRun) {
      await confirmLaps(db, session, ENGINE_VERSION, after);
      await keepTraces(deps, session, timed.traces);
    }
    return { session, track, outcome: 'unchanged' };
  }
  const retimed = {
    startedAt,
    sessionDate,
    gpsRateHz: timed.gpsRateHz,
    droppedCounts: timed.dropped,
    engineVersion: ENGINE_VERSION,
  };
  if (!isDryRun) {
    if (!(await replaceLaps(db, session, retimed, after))) return null;
    await keepTraces(deps, session, timed.traces);
  }
  return { session, track, outcome: 'changed', before, after };
}

async function keepTraces(
  { storage, workFolder }: RetimeDeps,
  { id, storageKey }: StoredSession,
  traces: Uint8Array,
): Promise<void> {
  await putTraces(storage, storageKey, { traces, workPath: join(workFolder, `${id}.traces`) });
}

/** Rejects copies again: a lap that was a copy at the upload remains one. */
async function withoutCopies(db: Database, session: StoredSession, laps: NewLap[]): Promise<NewLap[]> {
  const { trackId, userId, id: sessionId, createdAt } = session;
  const before = { sessionId, createdAt };
  return rejectCopies(laps, await listRecordedLaps(db, { trackId, userId, before }, laps));
}

/**
 * Times the file on its track; returns a sentence where there are no laps.
 * @throws AppError `unavailable` where too many files are being read
 */
async function timeStored(
  { storage, lapWorkers, workFolder }: RetimeDeps,
  { id, storageKey }: StoredSession,
  track: Track,
): Promise<TimedLapFile | string> {
  const content = await openContent(storage, storageKey);
  if (content === null) return 'Its lap file is missing in the storage.';
  const path = join(workFolder, id);
  try {
    await pipeline(content, createWriteStream(path));
    // All retiming together has one turn, between those of drivers who wait.
    const sent = { userId: 'retiming', byteCount: (await stat(path)).size };
    const result = await lapWorkers.time({ path, track }, sent);
    if (!result.isReadable) return result.sentence;
    return whyNoLaps(result.value, track) ?? result.value;
  } catch (error) {
    // Too many files are being read: the job is run again.
    if (error instanceof AppError && error.code !== 'unavailable') return error.message;
    if (isDamagedError(error)) return 'Its lap file is damaged in the storage.';
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Boards show these fields of a lap; the hashes that identify its copies are not among them. */
const SHOWN = ['number', 'lapTimeMs', 'uncertaintyMs', 'status', 'reasons', 'sectorTimesMs', 'startedAt'];

function isSame(before: readonly StoredLap[], after: readonly StoredLap[]): boolean {
  return JSON.stringify(before, SHOWN) === JSON.stringify(after, SHOWN);
}
