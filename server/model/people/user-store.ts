import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type UserId, userIdSchema } from '#contract/ids.ts';
import { formatUsername } from '#contract/people/labels.ts';
import type { PublicUser, User } from '#contract/people/schemas.ts';
import { type RoleClaim } from './roles.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { readAs } from '#server/kernel/database/query-rows.ts';
import { checkDisplayNameIsFree, checkUsernameIsFree } from './name-store.ts';
import { users } from './schema.ts';
import { changeDrivers } from '#server/model/boards/change-laps.ts';

/**
 * The avatar is the uploaded one. Pictures at a sign-in provider are not shown: every visitor's browser would have to
 * fetch them there.
 */
const profileImageUrl = readAs(z.string().nullable(), sql`'/api/images/' || ${users.avatarKey}`);

const own = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  displayName: users.displayName,
  email: users.email,
  emailVerified: users.emailVerified,
  profileImageUrl,
  emailUpdates: users.emailUpdates,
  keepLinesPrivate: users.keepLinesPrivate,
  units: users.units,
  dates: users.dates,
  role: users.role,
  username: users.username,
  deletionDueAt: users.deletionDueAt,
};

const seenByAll = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  displayName: users.displayName,
  email: users.email,
  username: users.username,
  profileImageUrl,
};

/** Finds a user with the fields that decide their role; `role` is only the granted one. */
export async function findUser(
  db: Database,
  userId: UserId,
): Promise<
  (Omit<User, 'isAdmin' | 'deletionDueAt'> & RoleClaim & { deletionDueAt: Date | null }) | undefined
> {
  const [row] = await db.select(own).from(users).where(eq(users.id, userId));
  return row;
}

/** Finds the public fields of a user by id, else by name. */
export async function findPublicUserByIdOrName(
  db: Database,
  idOrName: string,
): Promise<PublicUser | undefined> {
  const userId = userIdSchema.safeParse(idOrName).data;
  return (userId && (await findPublicUser(db, userId))) || (await findPublicUserByName(db, idOrName));
}

/** Finds the public fields of a user. */
async function findPublicUser(db: Database, userId: UserId): Promise<PublicUser | undefined> {
  const [row] = await db
    .select(seenByAll)
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletionDueAt)));
  return row && toPublicUser(row);
}

/**
 * Finds the public fields of the user with this full name or display name. A match of the full name comes first,
 * because the provider vouches for it while anybody can choose a display name; then the oldest account.
 */
async function findPublicUserByName(db: Database, name: string): Promise<PublicUser | undefined> {
  const [row] = await db
    .select(seenByAll)
    .from(users)
    .where(and(or(eq(users.displayName, name), eq(users.fullName, name)), isNull(users.deletionDueAt)))
    .orderBy(sql`${users.fullName} = ${name} DESC NULLS LAST`, asc(users.createdAt), asc(users.id))
    .limit(1);
  return row && toPublicUser(row);
}

/** Returns the public fields; of the email address only the part before the @ becomes public, where no username is chosen. */
function toPublicUser({ email, ...names }: PublicUser & { email: string | null }): PublicUser {
  return { ...names, username: formatUsername({ ...names, email }) };
}

export type Preferences = {
  username?: string | null | undefined;
  displayName?: string | null | undefined;
  emailUpdates?: boolean | undefined;
  keepLinesPrivate?: boolean | undefined;
  units?: User['units'] | undefined;
  dates?: User['dates'] | undefined;
};

/** Sets or removes the avatar of a user; returns the key of the previous one. */
export async function setAvatarKey(
  db: Database,
  userId: UserId,
  avatarKey: string | null,
): Promise<string | null> {
  return await db.transaction((tx) =>
    changeDrivers(tx, [userId], async () => {
      const isUser = eq(users.id, userId);
      const [before] = await tx.select({ avatarKey: users.avatarKey }).from(users).where(isUser);
      await tx.update(users).set({ avatarKey }).where(isUser);
      return before?.avatarKey ?? null;
    }),
  );
}

/** Changes the given preferences and leaves the others. */
export async function updatePreferences(
  db: Database,
  userId: UserId,
  preferences: Preferences,
): Promise<void> {
  const given = Object.entries(preferences).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  await db.transaction(async (tx) => {
    const update = () => tx.update(users).set(Object.fromEntries(given)).where(eq(users.id, userId));
    const { displayName, username } = preferences;
    if (displayName) await checkDisplayNameIsFree(tx, userId, displayName);
    if (username) await checkUsernameIsFree(tx, userId, username);
    // Boards show the name, and an outline may be drawn from a line that becomes private.
    const isShown = displayName !== undefined || preferences.keepLinesPrivate !== undefined;
    await (isShown ? changeDrivers(tx, [userId], update) : update());
  });
}

export async function switchEmailUpdatesOff(db: Database, userId: UserId): Promise<void> {
  await db.update(users).set({ emailUpdates: false }).where(eq(users.id, userId));
}

/** Describes a driver who is added without a sign-in. */
export type NewDriver = Pick<
  typeof users.$inferInsert,
  'issuer' | 'subject' | 'firstName' | 'lastName' | 'fullName' | 'role'
>;

/** Inserts the drivers who do not exist yet; returns the inserted ones. */
export async function insertDrivers(
  tx: Database,
  drivers: readonly NewDriver[],
): Promise<{ id: UserId; subject: string }[]> {
  return await tx
    .insert(users)
    .values([...drivers])
    .onConflictDoNothing()
    .returning({ id: users.id, subject: users.subject });
}

/** Deletes users; returns the keys of their avatars. `deletePeople` deletes all their other rows first. */
export async function deleteUsers(tx: Database, userIds: readonly UserId[]): Promise<string[]> {
  const removed = await tx
    .delete(users)
    .where(inArray(users.id, [...userIds]))
    .returning({ avatarKey: users.avatarKey });
  return removed.flatMap(({ avatarKey }) => avatarKey ?? []);
}
