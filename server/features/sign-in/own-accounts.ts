import { MISSING_SETTINGS, type MissingSetting, type Registration } from '#contract/sign-in/labels.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findClubSettings } from '#server/model/club/club-settings-store.ts';
import { sendsMail } from '#server/model/mail/mail-server.ts';
import type { AppSettings, Services } from '#server/model/services.ts';
import type { SignInProvider } from './sign-in-provider.ts';

/** The services include the provider that also signs users in; null where there is none. */
export type SignInServices = Services & { provider: SignInProvider | null };

/** Finds who may make an account: the setting of the server has priority over the choice of the owner. */
export async function findRegistration({ settings, database }: Services): Promise<Registration> {
  // Only the owner makes an account before the set-up.
  return settings.registration ?? (await findClubSettings(database.db))?.registration ?? 'invited';
}

/**
 * Checks that this server has its own accounts.
 * @throws AppError `not_allowed`
 */
export function requireOwnAccounts(settings: Pick<AppSettings, 'hasOwnAccounts'>): void {
  if (!settings.hasOwnAccounts) throw new AppError('not_allowed', 'This server has no accounts of its own.');
}

/** Lists the missing settings that a club will want. */
export async function listMissing({ settings, database }: Services): Promise<MissingSetting[]> {
  const { backupTarget, updateUrl } = settings;
  const isGiven = {
    mail: await sendsMail(database.db, settings),
    backups: backupTarget !== null,
    updates: updateUrl !== null,
  };
  return MISSING_SETTINGS.filter((name) => !isGiven[name]);
}
