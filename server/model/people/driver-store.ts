import { and, eq, isNull } from 'drizzle-orm';
import type { UserId } from '#contract/ids.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { users } from './schema.ts';
import { AppError } from '#server/kernel/errors.ts';

/**
 * Distinguishes a driver who does not exist from one who has nothing to show.
 * @throws AppError `not_found`
 */
export async function checkDriverExists(db: Database, userId: UserId): Promise<void> {
  const [driver] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletionDueAt)));
  if (!driver) throw new AppError('not_found', 'There is no such driver.');
}
