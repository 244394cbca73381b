import { createHash, randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { UserId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { fileTokenSchema, type PendingFile } from '#contract/upload/pending-files.ts';
import type { UploadResult } from '#contract/upload/schemas.ts';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { toShownFileName } from '#server/kernel/files/shown-file-name.ts';
import { parseInput } from '#server/kernel/http/endpoints.ts';
import type { Incoming, ReceivedFile } from '#server/kernel/http/receive-form.ts';
import { listOlder } from '#server/kernel/storage/list-older.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import {
  countPart,
  expirePendingFiles,
  findPendingCopy,
  findPendingFile,
  insertPendingFile,
  type PendingFileRow,
  deletePendingFileRow,
  takePartBack,
} from './pending-file-store.ts';

// A lap file is analysed first and uploaded a minute later. In between it is kept here, so that it travels once.

export type PendingDeps = { db: Database; storage: Storage; incomingFolder: string };

// The limits hold a long track day of large files for a driver, and some hundred such drivers.
const PENDING_LIMITS = {
  driverBytesMax: 512 * 1024 * 1024,
  bytesMax: 16 * 1024 * 1024 * 1024,
  driverFilesMax: 200,
  driverFilesInPartsMax: 20,
};

const PENDING_PREFIX = 'pending-files';

/** Returns the key of one part, which is an object named by its offset. */
const partKey = (id: string, offset: number): string => `${PENDING_PREFIX}/${id}/${offset}`;

/** Stores a file that was sent whole, moving it, and returns its token; null where there is no room. */
async function keepPendingFile(
  { db, storage }: PendingDeps,
  userId: UserId,
  { name, path, sha256, byteCount }: ReceivedFile,
): Promise<string | null> {
  const copy = await findPendingCopy(db, userId, sha256);
  if (copy !== undefined) return copy;
  const id = randomUUID();
  const row = { id, userId, fileName: name, byteCount, receivedBytes: byteCount, sha256 };
  if (!(await insertPendingFile(db, row, PENDING_LIMITS))) return null;
  try {
    await storage.put(partKey(id, 0), path);
  } catch (error) {
    await deletePendingFileRow(db, id);
    throw error;
  }
  return id;
}

/** Begins a file that is sent in parts. @throws AppError `too_large` where there is no room */
export async function beginPendingFile(
  { db }: PendingDeps,
  userId: UserId,
  { fileName, byteCount }: { fileName: string; byteCount: number },
): Promise<PendingFile> {
  const name = toShownFileName(fileName);
  const row = { id: randomUUID(), userId, fileName: name, byteCount, receivedBytes: 0, sha256: null };
  if (!(await insertPendingFile(db, row, PENDING_LIMITS))) {
    throw noRoom();
  }
  return describePendingFile(row);
}

/** Returns the received bytes of a file. @throws AppError where it does not exist or belongs to another driver */
export async function getPendingFile(
  { db }: PendingDeps,
  userId: UserId,
  fileToken: string,
): Promise<PendingFile> {
  return describePendingFile(await getOwn(db, userId, fileToken));
}

/** Stores the next part of a file. One that has arrived before is left unread. @throws AppError */
export async function receivePart(
  deps: PendingDeps,
  userId: UserId,
  { fileToken, offset, body }: { fileToken: string; offset: number; body: Readable },
): Promise<PendingFile> {
  const { db, incomingFolder } = deps;
  const file = await getOwn(db, userId, fileToken);
  if (offset < file.receivedBytes) return describePendingFile(file);
  if (offset > file.receivedBytes) {
    throw new AppError(
      'conflict',
      `The file has arrived up to byte ${file.receivedBytes}. Go on from there.`,
    );
  }
  const path = join(incomingFolder, randomUUID());
  try {
    const bytesMax = Math.min(LIMITS.pendingPartBytesMax, file.byteCount - offset);
    const byteCount = await spoolPart(body, path, bytesMax);
    if (byteCount < LIMITS.pendingPartBytesMin && offset + byteCount < file.byteCount) {
      const sentence = `Each part but the last has at least ${LIMITS.pendingPartBytesMin} bytes.`;
      throw new AppError('invalid_input', sentence);
    }
    await storePart(deps, file, { offset, byteCount, path });
  } finally {
    await rm(path, { force: true });
  }
  return getPendingFile(deps, userId, fileToken);
}

async function storePart(
  { db, storage }: PendingDeps,
  file: PendingFileRow,
  { path, ...part }: { offset: number; byteCount: number; path: string },
): Promise<void> {
  const counted = await countPart(db, file, part, PENDING_LIMITS);
  if (counted === 'no room') throw noRoom();
  if (counted === 'taken') return;
  try {
    await storage.put(partKey(file.id, part.offset), path);
  } catch (error) {
    if (!(await takePartBack(db, file.id, part))) await deletePendingFileRow(db, file.id);
    throw error;
  }
}

async function spoolPart(body: Readable, path: string, bytesMax: number): Promise<number> {
  let byteCount = 0;
  async function* limited(): AsyncGenerator<Buffer> {
    // Leaving the loop must not end the connection that the answer goes to.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = chunk;
      byteCount += bytes.length;
      if (byteCount > bytesMax)
        throw new AppError('too_large', `This part may have at most ${bytesMax} bytes.`);
      yield bytes;
    }
  }
  try {
    // Closes the file before it throws, unlike a stream, which may make it after it was removed.
    await writeFile(path, limited(), { flag: 'wx' });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET') {
      throw new AppError('invalid_input', 'The part broke off on its way.', { cause });
    }
    throw cause;
  }
  return byteCount;
}

/** Copies a kept file as if it had come with the form. @throws AppError if missing, incomplete or another driver's */
async function openPendingFile(
  { db, storage, incomingFolder }: PendingDeps,
  userId: UserId,
  fileToken: string,
): Promise<ReceivedFile> {
  const file = await getOwn(db, userId, fileToken);
  const path = join(incomingFolder, randomUUID());
  const hash = createHash('sha256');
  async function* readParts(): AsyncGenerator<Buffer> {
    let offset = 0;
    while (offset < file.byteCount) {
      const part = await storage.openRead(partKey(file.id, offset));
      if (part === null || part.byteCount === 0) throw notKept();
      for await (const chunk of part.content) {
        const bytes: Buffer = chunk;
        hash.update(bytes);
        yield bytes;
      }
      offset += part.byteCount;
    }
    if (offset !== file.byteCount) throw notKept();
  }
  try {
    await writeFile(path, readParts(), { flag: 'wx' });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  const { fileName: name, byteCount } = file;
  return { name, path, sha256: hash.digest('hex'), byteCount, reference: fileToken };
}

/** Lets forms of a driver hold files, or the tokens of kept files instead. */
export function acceptPending(deps: PendingDeps): (userId: UserId) => Incoming {
  return (userId) => ({
    folder: deps.incomingFolder,
    openReferenced: async (fieldName, reference) => {
      const token = parseInput(z.object({ [fieldName]: fileTokenSchema }), { [fieldName]: reference });
      return await openPendingFile(deps, userId, token[fieldName] ?? '');
    },
  });
}

type LoggedDeps = PendingDeps & { log: FastifyBaseLogger };

/** Returns the token of a file that was analysed; null where it cannot be stored, so that the upload sends it again. */
export async function keepForUpload(
  deps: LoggedDeps,
  userId: UserId,
  file: ReceivedFile,
): Promise<string | null> {
  if (file.reference !== undefined) return file.reference;
  try {
    return await keepPendingFile(deps, userId, file);
  } catch (error) {
    deps.log.warn({ err: error }, 'A lap file could not be kept for its upload');
    return null;
  }
}

/** Deletes the pending copies of the files that are on a board now. The sweep deletes those that fail. */
export async function deletePendingCopies(
  deps: LoggedDeps,
  files: readonly ReceivedFile[],
  results: readonly UploadResult[],
): Promise<void> {
  for (const [index, { reference: fileToken }] of files.entries()) {
    if (fileToken === undefined || results[index]?.success !== true) continue;
    await deletePendingFile(deps, fileToken).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'A lap file that was uploaded is still kept'),
    );
  }
}

async function deletePendingFile({ db, storage }: PendingDeps, fileToken: string): Promise<void> {
  await deletePendingFileRow(db, fileToken);
  await deletePendingParts(storage, fileToken);
}

/** Removes the objects of a pending file whose row is deleted. */
export async function deletePendingParts(storage: Storage, id: string): Promise<void> {
  for await (const { key } of storage.list(`${PENDING_PREFIX}/${id}`)) await storage.remove(key);
}

/** Removes files that are kept no longer, and parts older than `olderThanMs` that no file names. Gives how many objects. */
export async function sweepPendingFiles(
  storage: Storage,
  db: Database,
  olderThanMs: number,
): Promise<number> {
  const found = await listOlder(storage, PENDING_PREFIX, olderThanMs);
  // Asked after the objects: a row that came in between would otherwise be missed.
  const kept = await expirePendingFiles(db);
  const orphans = found.filter((key) => !kept.has(key.split('/')[1] ?? ''));
  for (const key of orphans) await storage.remove(key);
  return orphans.length;
}

async function getOwn(db: Database, userId: UserId, fileToken: string): Promise<PendingFileRow> {
  const file = await findPendingFile(db, fileToken);
  if (file === undefined) throw notKept();
  if (file.userId !== userId) throw new AppError('not_allowed', 'This file was sent by another driver.');
  return file;
}

function noRoom(): AppError {
  return new AppError('too_large', 'The server keeps no more files at the moment. Send the file in a form.');
}

function notKept(): AppError {
  const sentence = 'The server does not keep this file any more. Please send it again.';
  return new AppError('not_found', sentence, { fields: { fileToken: sentence } });
}

function describePendingFile({ id, byteCount, receivedBytes }: Omit<PendingFileRow, 'sentAt'>): PendingFile {
  return { fileToken: id, byteCount, receivedBytes };
}
