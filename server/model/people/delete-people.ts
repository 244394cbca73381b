import type { FastifyBaseLogger } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { changeDrivers } from '#server/model/boards/change-laps.ts';
import { deleteUnusedProposals, deleteUserCars } from '#server/model/cars/garage-store.ts';
import { deleteEventsOfUsers } from '#server/model/events/event-store.ts';
import { imageStorageKey, incomingPrefix } from '#server/model/images/image-key.ts';
import { removeLapFile } from '#server/model/laps/trace-storage.ts';
import { deleteSessionsOfDrivers } from '#server/model/laps/track-sessions-store.ts';
import { deleteNoticesOfUsers } from '#server/model/notices/notice-store.ts';
import { endByEvent } from './ending-store.ts';
import { checkLeavesAnOwner } from './role-store.ts';
import { deleteUsers } from './user-store.ts';

/** Holds the storage keys of the objects of deleted people, and the number of their sessions. */
export type DeletedPeople = { sessionCount: number; storageKeys: string[]; imageKeys: string[] };

/** Deletes people and all their rows from the database, and updates the boards at once. */
export async function deletePeople(tx: Database, userIds: readonly UserId[]): Promise<DeletedPeople> {
  return await changeDrivers(tx, userIds, async () => {
    await deleteNoticesOfUsers(tx, userIds);
    await deleteEventsOfUsers(tx, userIds);
    const sessions = await deleteSessionsOfDrivers(tx, userIds);
    const photoKeys = await deleteUserCars(tx, userIds);
    await deleteUnusedProposals(tx, userIds);
    await endByEvent(tx, 'removed', { userId: userIds });
    const avatarKeys = await deleteUsers(tx, userIds);
    return { ...sessions, imageKeys: [...avatarKeys, ...photoKeys] };
  });
}

/**
 * Deletes one account. `alsoDo` runs in the same transaction.
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
  { userId, files: { storageKeys, imageKeys }, log }: DeletedAccount,
): Promise<void> {
  try {
    for (const key of storageKeys) await removeLapFile(storage, key);
    for (const key of imageKeys) await storage.remove(imageStorageKey(key));
    for await (const { key } of storage.list(incomingPrefix(userId))) await storage.remove(key);
  } catch (error) {
    log.warn({ err: error }, 'Files of a deleted account could not be deleted');
  }
}
