import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findClubSettings } from '#server/model/club/club-settings-store.ts';
import { hashPassword } from '#server/model/people/password-hash.ts';
import { findPasswordProblem } from './password-rules.ts';

/** Holds what the names of the site are found with, which no password may consist of. */
export type SiteDeps = { db: Database; publicUrl: string };

/**
 * Checks and hashes a chosen password; `personal` lists known facts about the user. Call it after the token or code that
 * allows the change was checked, because it takes time.
 * @throws AppError `invalid_input`, for the field `field`
 */
export async function hashNewPassword(
  { db, publicUrl }: SiteDeps,
  password: string,
  personal: readonly string[],
  field: 'password' | 'newPassword' = 'newPassword',
): Promise<string> {
  const club = await findClubSettings(db);
  const site = [new URL(publicUrl).hostname, ...(club ? [club.name] : [])];
  const problem = await findPasswordProblem(password, [...site, ...personal]);
  if (problem) throw new AppError('invalid_input', problem, { fields: { [field]: problem } });
  return await hashPassword(password);
}
