import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findPublicUser } from './user-store.ts';

/**
 * Tells somebody who is asked for and not there from somebody who has nothing to show.
 * @throws AppError `not_found`
 */
export async function checkDriverExists(db: Database, userId: string): Promise<void> {
  if (!(await findPublicUser(db, userId))) throw new AppError('not_found', 'There is no such driver.');
}
