import type { UserId } from '#contract/ids.ts';
import { findBestLap } from '#engine/timing/laps.ts';
import type { FastifyBaseLogger } from 'fastify';
import { ENGINE_VERSION } from '#engine/engine-version.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import type { UploadResult } from '#contract/upload/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { findErrorCode } from '#server/kernel/database/database-unavailable.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findOutage } from '#server/kernel/http/answer-error.ts';
import { summarizeLaps } from './round-lap.ts';
import { putCompressed } from '#server/kernel/storage/compressed.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { deleteUnnamed } from '#server/kernel/storage/storage-unavailable.ts';
import { toLocalIso } from '#server/model/tracks/local-time.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import type { RecordedEvents } from '#server/model/boards/describe-change.ts';
import { addLineAfterUpload } from './build-reference-line.ts';
import { addCheck } from '#server/model/flags/check-sessions.ts';
import { recallFlaggedLaps } from '#server/model/flags/deleted-laps-store.ts';
import { putTraces } from './trace-storage.ts';
import { isTimedOtherwise, retimeTrack } from '#server/model/tracks/track-correction-store.ts';
import { drawFromLap, findTrack } from '#server/model/tracks/track-store.ts';
import type { TimedLapFile } from './timing/lap-tasks.ts';
import type { LapWorkers } from './timing/lap-workers.ts';
import { UNEXPECTED_WITH_FILE, whyNoLaps } from './check-laps.ts';
import { addSlowLapsJob, classifySlowLaps } from './classify-slow-laps.ts';
import { lapFileKey } from './lap-file-key.ts';
import { lapsToStore } from './laps-to-store.ts';
import { addRetiming } from './retime-due-tracks.ts';
import { isStoredSample } from './stored-sample.ts';
import { findLapFileKey, markSample } from './sample-files.ts';
import type { ReceivedFile } from '#server/kernel/http/receive-form.ts';
import { ALREADY_UPLOADED, ownerOfAll, rejectCopies, describeUploaded } from './recorded-before.ts';
import { sessionStart } from './session-start.ts';
import { findRecordMs } from './slow-laps-store.ts';
import {
  findLapFileOwner,
  findRoundedOwner,
  insertLapFile,
  insertSession,
  listRecordedLaps,
  sumLapFileBytes,
  type NewLap,
  type NewLapFile,
  type NewSession,
  upsertLaps,
} from './lap-file-store.ts';

export type UploadDeps = {
  db: Database;
  storage: Storage;
  lapWorkers: LapWorkers;
  log: FastifyBaseLogger;
  /** Limits the stored bytes of one driver's lap files. */
  driverQuotaBytes: number;
};

/** Holds the driver's entries for the files. */
export type Upload = Pick<NewSession, 'userId' | 'userCarId' | 'tireCompound' | 'videoUrl'> & {
  track: Track;
  /** Selects the recorded events; all where it is not set. */
  recorded?: RecordedEvents;
};

/**
 * Processes the files of one call, one after the other. After a required service becomes unavailable, the remaining
 * files are not tried: they fail with the same sentence, and may be sent again.
 * @throws AppError `unavailable` where nothing was stored for that reason
 */
export async function storeLapFiles(
  deps: UploadDeps,
  upload: Upload,
  files: readonly ReceivedFile[],
): Promise<UploadResult[]> {
  const results: UploadResult[] = [];
  let outage: AppError | null = null;
  for (const file of files) {
    try {
      if (outage) throw outage;
      results.push(await storeLapFile(deps, upload, file));
    } catch (error) {
      outage = findOutage(error);
      if (!outage) throw error;
      results.push({ file: file.name, success: false, error: outage.message });
    }
  }
  if (outage && !results.some(({ success }) => success)) throw outage;
  return results;
}

/**
 * Times one lap file on a track and stores it with its session and laps. The times are worked out and the raw file is kept
 * safely before the database hears of either, so the transaction is short and nothing half is ever seen. A file that fails
 * leaves nothing behind; its result says why.
 * @throws AppError `unavailable` where something that the server needs is away
 */
export async function storeLapFile(
  deps: UploadDeps,
  upload: Upload,
  file: ReceivedFile,
): Promise<UploadResult> {
  try {
    return { file: file.name, success: true, ...(await storeTimed(deps, upload, file)) };
  } catch (error) {
    const isForeseen = error instanceof AppError;
    if (!isForeseen) deps.log.error({ err: error, file: file.sha256 }, 'an upload failed');
    const outage = findOutage(error);
    if (outage) throw outage;
    const sentence = isForeseen ? error.message : UNEXPECTED_WITH_FILE;
    const isOwnCopy = sentence === ALREADY_UPLOADED;
    return {
      file: file.name,
      success: false,
      error: sentence,
      ...(isOwnCopy && { alreadyUploaded: true }),
    };
  }
}

// SQLSTATE: a row that is named by another one is not there.
const FOREIGN_KEY_VIOLATION = '23503';
const GONE_SENTENCE = 'The track, the car or the account was removed during the upload.';

async function storeTimed(deps: UploadDeps, upload: Upload, file: ReceivedFile) {
  const { db, lapWorkers } = deps;
  // Most copies are known by their bytes, before any work is done.
  const { sha256 } = file;
  const sent = {
    sha256: await findLapFileKey({ sha256, positionsHash: null }, upload.userId),
    positionsHash: null,
  };
  const owner = await findLapFileOwner(db, sent);
  if (owner !== undefined) throw alreadyUploaded(owner, upload.userId);
  await checkQuota(deps, upload.userId, file.byteCount);

  const result = await lapWorkers.time(
    { path: file.path, track: upload.track },
    { userId: upload.userId, byteCount: file.byteCount },
  );
  if (!result.isReadable) throw new AppError('invalid_input', result.sentence);
  const timed = result.value;
  const problem = whyNoLaps(timed, upload.track);
  if (problem !== null) throw new AppError('invalid_input', problem);
  const { lapsPerSessionMax } = LIMITS;
  if (timed.laps.length > lapsPerSessionMax) {
    const sentence = `This file has more than ${lapsPerSessionMax} laps, which no session has.`;
    throw new AppError('invalid_input', sentence);
  }
  const { positionsHash } = timed;
  const lapFileSha256 = await findLapFileKey({ sha256, positionsHash }, upload.userId);
  return await keep(deps, { ...upload, lapFileSha256 }, file, timed);
}

async function checkQuota(
  { db, driverQuotaBytes }: UploadDeps,
  userId: UserId,
  byteCount: number,
): Promise<void> {
  const storedBytes = await sumLapFileBytes(db, userId);
  if (storedBytes + byteCount <= driverQuotaBytes) return;
  const [stored, quota] = [storedBytes, driverQuotaBytes].map((bytes) => Math.round(bytes / 1_000_000));
  throw new AppError(
    'too_large',
    `Your lap files take ${stored} MB of the ${quota} MB that each driver has here. Delete sessions that you no longer need, and try again.`,
  );
}

type KeyedUpload = Upload & { lapFileSha256: string };

const NO_HASHES = { positionsHash: null, roundedHashes: [] };

async function keep(deps: UploadDeps, upload: KeyedUpload, file: ReceivedFile, timed: TimedLapFile) {
  const { storage } = deps;
  const { recorded = 'all' } = upload;
  const storageKey = lapFileKey(file.sha256);
  const session = describeSession(upload, timed);
  const isSample = isStoredSample(session.lapFileSha256);
  const timedLaps = lapsToStore(timed, session.startedAt);
  const laps = isSample ? markSample(timedLaps) : timedLaps;
  const { byteCount, name: fileName } = file;
  const { format, positionsHash, roundedHashes, drivenOutline } = timed;
  const { userId, lapFileSha256: sha256 } = session;
  const hashes = { sha256, ...(isSample ? NO_HASHES : { positionsHash, roundedHashes }) };
  const lapFile = { ...hashes, storageKey, userId, fileName, byteCount, format };
  await putCompressed(storage, storageKey, file.path);
  const { track } = upload;
  const rows = { track, lapFile, session, laps, drivenOutline, recorded };
  const stored = await insertOrRemove(deps, storageKey, rows);
  await keepTraces(deps, storageKey, { traces: timed.traces, workPath: `${file.path}.traces` });
  return stored;
}

async function insertOrRemove({ db, storage }: UploadDeps, storageKey: string, rows: Rows) {
  try {
    return await db.transaction((tx) => insertAll(tx, rows));
  } catch (cause) {
    const isGone = findErrorCode(cause) === FOREIGN_KEY_VIOLATION;
    const error = isGone ? new AppError('conflict', GONE_SENTENCE, { cause }) : cause;
    // The object is removed only where no row can have been written. A connection may have failed after the commit; the
    // sweep removes what is left then, after it has checked the rows.
    if (error instanceof AppError) await deleteUnnamed(storage, storageKey);
    throw error;
  }
}

/** Stores the traces. If that fails, the upload is complete all the same: they are rebuilt when needed. */
async function keepTraces(
  { storage, log }: UploadDeps,
  storageKey: string,
  traces: { traces: Uint8Array; workPath: string },
): Promise<void> {
  await putTraces(storage, storageKey, traces).catch((error: unknown) =>
    log.warn({ err: error, storageKey }, 'The traces of a lap file could not be stored'),
  );
}

type Rows = {
  /** The track on which the laps were timed. */
  track: Track;
  lapFile: NewLapFile;
  session: NewSession;
  laps: NewLap[];
  recorded: RecordedEvents;
} & Pick<TimedLapFile, 'drivenOutline'>;

async function insertAll(tx: Database, rows: Rows) {
  const { session, recorded } = rows;
  const { userId, trackId } = session;
  const change = { trackId, userIds: [userId], recorded };
  const stored = await changeLaps(tx, change, () => insertDriven(tx, rows));
  await retimeIfCorrected(tx, rows.track);
  if (stored.bestLapId !== null) {
    await addLineAfterUpload(tx, trackId);
    await addSlowLapsJob(tx, trackId);
    await addCheck(tx, { trackId, sessionId: stored.sessionId });
  }
  return stored;
}

/** Has the laps timed again where the track was corrected while they were timed. Call it after `changeLaps`, which locks the track. */
async function retimeIfCorrected(tx: Database, timedOn: Track): Promise<void> {
  const track = await findTrack(tx, timedOn.id);
  if (!track || !isTimedOtherwise(timedOn, track)) return;
  await retimeTrack(tx, track.id);
  await addRetiming(tx, track.id);
}

/** Uploads to one track run this one after the other, so that of two copies the first is known. */
async function insertDriven(tx: Database, { lapFile, session, laps, drivenOutline }: Rows) {
  const { userId, trackId } = session;
  // Its foreign key locks the row of the driver, which an account that is removed locks after the driver: so does this.
  if (!(await insertLapFile(tx, lapFile))) {
    throw alreadyUploaded(await findLapFileOwner(tx, lapFile), userId);
  }
  const recorded = await listRecordedLaps(tx, { trackId, userId, before: null }, laps);
  const owner = (await findRoundedOwner(tx, lapFile)) ?? ownerOfAll(laps, recorded);
  if (owner !== undefined) throw alreadyUploaded(owner, userId);
  const classified = classifySlowLaps(rejectCopies(laps, recorded), await findRecordMs(tx, trackId));
  const newLaps = await recallFlaggedLaps(tx, { trackId, userId }, classified);
  const sessionId = await insertSession(tx, session);
  await upsertLaps(tx, { trackId, sessionId }, newLaps);
  const drawn = newLaps.find(
    ({ number, status }) => number === drivenOutline?.lapNumber && status === 'valid',
  );
  if (drawn && drivenOutline)
    await drawFromLap(tx, trackId, { ...drivenOutline, sessionId, lapTimeMs: drawn.lapTimeMs });
  const simulatedLapId = findFastestSimulated(newLaps)?.id;
  return {
    sessionId,
    ...summarizeLaps(newLaps),
    bestLapId: findBestLap(newLaps)?.id ?? null,
    ...(simulatedLapId !== undefined && { simulatedLapId }),
  };
}

function findFastestSimulated(laps: readonly NewLap[]): NewLap | undefined {
  const simulated = laps.filter(({ status }) => status === 'simulated');
  return simulated.toSorted((a, b) => a.lapTimeMs - b.lapTimeMs)[0];
}

function describeSession(
  { track, recorded: _recorded, ...given }: KeyedUpload,
  timed: TimedLapFile,
): NewSession {
  const startedAt = sessionStart(timed, track.timeZone, new Date());
  return {
    ...given,
    trackId: track.id,
    startedAt,
    sessionDate: toLocalIso(startedAt, track.timeZone),
    gpsRateHz: timed.gpsRateHz,
    droppedCounts: timed.dropped,
    engineVersion: ENGINE_VERSION,
  };
}

function alreadyUploaded(owner: string | undefined, userId: UserId): AppError {
  return new AppError('conflict', describeUploaded(owner, userId));
}
