import { and, eq, isNotNull, isNull, like, lt, sql } from 'drizzle-orm';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { IS_LEAVING } from '#server/model/people/driver-name.ts';
import { incomingPrefix } from './image-key.ts';
import { takenUploads } from './schema.ts';
import { userCars } from '#server/model/cars/schema.ts';
import { users } from '#server/model/people/schema.ts';

export async function listImageKeys(db: Database): Promise<Set<string>> {
  const [avatars, photos] = await Promise.all([
    db.select({ key: users.avatarKey }).from(users).where(isNotNull(users.avatarKey)),
    db.select({ key: userCars.photoKey }).from(userCars).where(isNotNull(userCars.photoKey)),
  ]);
  return new Set([...avatars, ...photos].flatMap(({ key }) => key ?? []));
}

/** Records that the image at an upload address is used; returns false where it was used before. */
export async function takeUpload(db: Database, key: string): Promise<boolean> {
  const rows = await db
    .insert(takenUploads)
    .values({ key })
    .onConflictDoNothing()
    .returning({ key: takenUploads.key });
  return rows.length > 0;
}

/** Allows another use of the image at an upload address, after a temporary failure. */
export async function releaseUpload(db: Database, key: string): Promise<void> {
  await db.delete(takenUploads).where(eq(takenUploads.key, key));
}

export async function isUploadTaken(db: Database, key: string): Promise<boolean> {
  const rows = await db.select().from(takenUploads).where(eq(takenUploads.key, key));
  return rows.length > 0;
}

/** Deletes addresses that were used longer ago than `olderThanMs`; no address is valid for so long. */
export async function deleteTakenUploads(db: Database, olderThanMs: number): Promise<void> {
  await db
    .delete(takenUploads)
    .where(lt(takenUploads.takenAt, sql`now() - ${olderThanMs} * interval '1 millisecond'`));
}

/** Tells whether the account exists and stays; it may have been deleted since its upload address was made. */
export async function isDriver(db: Database, userId: UserId): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, userId), isNull(users.deletionDueAt)))) > 0;
}

/** Tells whether an image belongs to a driver whose account is to be deleted. Few accounts are, and an index finds them. */
export async function isImageHidden(db: Database, key: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    SELECT FROM users WHERE ${sql.raw(IS_LEAVING)} AND (
      avatar_key = ${key}
      OR EXISTS (SELECT FROM user_cars WHERE user_cars.user_id = users.id AND photo_key = ${key})
    ) LIMIT 1`);
  return (rowCount ?? 0) > 0;
}

/** Deletes the used upload addresses of drivers. */
export async function deleteTakenUploadsOf(tx: Database, userIds: readonly UserId[]): Promise<void> {
  for (const userId of userIds)
    await tx.delete(takenUploads).where(like(takenUploads.key, `${incomingPrefix(userId)}/%`));
}
