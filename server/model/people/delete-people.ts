import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { RefusedFileId, UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob, deleteJobsAbout } from '#server/kernel/jobs/job-store.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { lockDrivers } from '#server/model/boards/driver-lock-store.ts';
import { changeDrivers } from '#server/model/boards/change-laps.ts';
import { deleteUnusedProposals, deleteUserCars } from '#server/model/cars/garage-store.ts';
import { deleteEventsOfUsers, markDeliveredOf } from '#server/model/events/event-store.ts';
import { checkOldSessionsJob } from '#server/model/flags/check-sessions.ts';
import { imageStorageKey, incomingPrefix } from '#server/model/images/image-key.ts';
import { deleteTakenUploadsOf } from '#server/model/images/image-store.ts';
import { deleteKeptSessionsOf } from '#server/model/laps/deleted-session-store.ts';
import { deletePendingFilesOf } from '#server/model/laps/pending-file-store.ts';
import { deletePendingParts } from '#server/model/laps/pending-files.ts';
import { deleteLapFile } from '#server/model/laps/trace-storage.ts';
import {
  deleteSessionsOfDrivers,
  hideSessionsOfDriver,
  recheckSessionsOfDriver,
} from '#server/model/laps/track-sessions-store.ts';
import { deleteNoticesOfUsers } from '#server/model/notices/notice-store.ts';
import { deleteEntriesOf } from '#server/model/race-events/entry-store.ts';
import { deleteRefusedFilesOf } from '#server/model/refused-files/refused-file-store.ts';
import { deleteRefusedFiles } from '#server/model/refused-files/refused-files.ts';
import { deleteDeliveriesAbout } from '#server/model/webhooks/webhook-store.ts';
import {
  clearDeletionDue,
  deleteLinksFor,
  findDeletion,
  isDeletionDue,
  listDueDeletions,
  listEmails,
  setDeletionDue,
} from './deletion-store.ts';
import { recordSignInChange } from './record-sign-in-change.ts';
import { endByEvent } from './ending-store.ts';
import { checkLeavesAnOwner } from './role-store.ts';
import { deleteUsers } from './user-store.ts';

// An owner who deletes the account leaves it: others see nothing of it from then on, and a job deletes it after seven days.

/** Deletes the accounts whose seven days are over. */
export const deleteDuePeopleJob = defineJob({ name: 'delete-due-people', payload: z.object({}) });

type AccountDeps = { db: Database; storage: Storage; log: FastifyBaseLogger };

/**
 * Hides an account from others and has it deleted in seven days; returns the time. It ends all auth sessions but one, and
 * deletes the files that wait for an upload or were sent to the owners. A repeated call returns the same time.
 * @throws AppError `invalid_input` where `name` is not that of the user, `conflict` for the last owner
 */
export async function leaveAccount(
  { db, storage, log }: AccountDeps,
  userId: UserId,
  { name, tokenSha256 }: { name: string; tokenSha256: string },
): Promise<Date> {
  const { dueAt, ...files } = await db.transaction(async (tx) => {
    const before = await findDeletion(tx, userId);
    checkTypedName(name, before?.name);
    if (before?.deletionDueAt) return { dueAt: before.deletionDueAt, pendingIds: [], refusedIds: [] };
    await checkLeavesAnOwner(tx, userId);
    const dueAt = await changeDrivers(tx, [userId], async () => {
      await endByEvent(tx, 'left', { userId, tokenSha256 });
      await hideSessionsOfDriver(tx, userId);
      await markDeliveredOf(tx, [userId]);
      await deleteDeliveriesAbout(tx, [userId]);
      return await setDeletionDue(tx, userId);
    });
    await recordSignInChange(tx, userId, 'delete-account');
    return {
      dueAt,
      pendingIds: await deletePendingFilesOf(tx, [userId]),
      refusedIds: await deleteRefusedFilesOf(tx, [userId]),
    };
  });
  await deleteAccountFiles(storage, { userId, files: { ...NO_FILES, ...files }, log });
  return dueAt;
}

function checkTypedName(typed: string, name: string | undefined): void {
  if (typed.trim().normalize('NFC') === name?.trim().normalize('NFC')) return;
  const sentence = 'This is not your name as it is shown here.';
  throw new AppError('invalid_input', sentence, { fields: { name: sentence } });
}

/** Keeps an account that was to be deleted; does nothing for others. Its laps rank again at once. */
export async function keepAccount(db: Database, userId: UserId): Promise<void> {
  await db.transaction(async (tx) => {
    const wasLeaving = await changeDrivers(tx, [userId], async () => await clearDeletionDue(tx, userId));
    if (!wasLeaving) return;
    // The automatic checks skip laps that do not rank.
    await recheckSessionsOfDriver(tx, userId);
    await addJob(tx, checkOldSessionsJob, {});
    await recordSignInChange(tx, userId, 'keep-account');
  });
}

export function deleteDuePeople({ db, storage, log }: AccountDeps): JobHandler {
  return handleJob(deleteDuePeopleJob, async (_, signal) => {
    for (const userId of await listDueDeletions(db)) {
      if (signal.aborted) return;
      const files = await db.transaction(async (tx) => {
        await lockDrivers(tx, [userId], 'update');
        // The owner may have kept the account since the list was read.
        return (await isDeletionDue(tx, userId)) ? await deletePeople(tx, [userId]) : null;
      });
      if (files) await deleteAccountFiles(storage, { userId, files, log });
    }
  });
}

/** Holds the storage keys of the objects of deleted people, and the number of their sessions. */
export type DeletedPeople = {
  sessionCount: number;
  storageKeys: string[];
  imageKeys: string[];
  /** The ids of files that waited for an upload. */
  pendingIds: string[];
  /** The ids of files that were sent to the owners. */
  refusedIds: RefusedFileId[];
};

const NO_FILES: DeletedPeople = {
  sessionCount: 0,
  storageKeys: [],
  imageKeys: [],
  pendingIds: [],
  refusedIds: [],
};

/** Deletes people and all their rows from the database, and updates the boards at once. */
export async function deletePeople(tx: Database, userIds: readonly UserId[]): Promise<DeletedPeople> {
  return await changeDrivers(tx, userIds, async () => {
    await deleteNoticesOfUsers(tx, userIds);
    await deleteEventsOfUsers(tx, userIds);
    await deleteDeliveriesAbout(tx, userIds);
    await deleteTakenUploadsOf(tx, userIds);
    const emails = await listEmails(tx, userIds);
    await deleteLinksFor(tx, emails);
    await deleteJobsAbout(tx, [...userIds, ...emails]);
    const sessions = await deleteSessionsOfDrivers(tx, userIds);
    await deleteEntriesOf(tx, userIds);
    const photoKeys = await deleteUserCars(tx, userIds);
    await deleteUnusedProposals(tx, userIds);
    const keptKeys = await deleteKeptSessionsOf(tx, userIds);
    const pendingIds = await deletePendingFilesOf(tx, userIds);
    const refusedIds = await deleteRefusedFilesOf(tx, userIds);
    await endByEvent(tx, 'removed', { userId: userIds });
    const avatarKeys = await deleteUsers(tx, userIds);
    const storageKeys = [...sessions.storageKeys, ...keptKeys];
    return { ...sessions, storageKeys, pendingIds, refusedIds, imageKeys: [...avatarKeys, ...photoKeys] };
  });
}

/**
 * Deletes one account for good. `alsoDo` runs in the same transaction.
 * @throws AppError `conflict` for the last owner
 */
export async function deleteAccount(
  db: Database,
  userId: UserId,
  alsoDo: (tx: Database) => Promise<void> = async () => {},
): Promise<DeletedPeople> {
  return await db.transaction(async (tx) => {
    await checkLeavesAnOwner(tx, userId);
    await alsoDo(tx);
    return await deletePeople(tx, [userId]);
  });
}

type DeletedAccount = { userId: UserId; files: DeletedPeople; log: FastifyBaseLogger };

/**
 * Deletes the objects of a deleted account. A sweep deletes later the objects that cannot be deleted now, because no
 * row names them.
 */
export async function deleteAccountFiles(
  storage: Storage,
  { userId, files: { storageKeys, imageKeys, pendingIds, refusedIds }, log }: DeletedAccount,
): Promise<void> {
  try {
    for (const id of pendingIds) await deletePendingParts(storage, id);
    await deleteRefusedFiles(storage, refusedIds);
    for (const key of storageKeys) await deleteLapFile(storage, key);
    for (const key of imageKeys) await storage.remove(imageStorageKey(key));
    for await (const { key } of storage.list(incomingPrefix(userId))) await storage.remove(key);
  } catch (error) {
    log.warn({ err: error }, 'Files of a deleted account could not be deleted');
  }
}
