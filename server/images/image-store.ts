import { isNotNull } from 'drizzle-orm';
import type { Database } from '#server/db/database.ts';
import { userCars, users } from '#server/db/schema.ts';

/** The keys of all images that are shown somewhere. */
export async function listImageKeys(db: Database): Promise<Set<string>> {
  const [avatars, photos] = await Promise.all([
    db.select({ key: users.avatarKey }).from(users).where(isNotNull(users.avatarKey)),
    db.select({ key: userCars.photoKey }).from(userCars).where(isNotNull(userCars.photoKey)),
  ]);
  return new Set([...avatars, ...photos].flatMap(({ key }) => key ?? []));
}
