import { eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
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

/** Tells whether the account exists; it may have been deleted since its upload address was made. */
export async function isDriver(db: Database, userId: UserId): Promise<boolean> {
  return (await db.$count(users, eq(users.id, userId))) > 0;
}
