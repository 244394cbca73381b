import { MISSING_SETTINGS, type MissingSetting, type Registration } from '#contract/registration.ts';
import type { SignInProvider } from '#server/auth/sign-in-provider.ts';
import { findClubSettings } from '#server/club/club-settings-store.ts';
import type { MailSettings } from '#server/kernel/config.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';

/** What the calls about credentials need. */
export type CredentialParts = {
  database: OpenDatabase;
  settings: {
    publicUrl: string;
    /** Whether people sign in with accounts of this server. */
    hasOwnAccounts: boolean;
    /** Null: what was chosen at the set-up. */
    registration: Registration | null;
    mail: MailSettings | null;
    backupTarget: string | null;
    updateUrl: string | null;
  };
  /** Who else signs people in; null: no one else. */
  provider: SignInProvider | null;
};

/** Who may make an account: what the setting of the server says, else what the owner has chosen. */
export async function findRegistration({ settings, database }: CredentialParts): Promise<Registration> {
  // Before the set-up, there is only the owner to be.
  return settings.registration ?? (await findClubSettings(database.db))?.registration ?? 'invited';
}

/** @throws AppError `not_allowed` */
export function requireOwnAccounts({ settings }: CredentialParts): void {
  if (!settings.hasOwnAccounts) throw new AppError('not_allowed', 'This server has no accounts of its own.');
}

/** What the settings of the server leave out that a club will want. */
export function listMissing({ settings }: Pick<CredentialParts, 'settings'>): MissingSetting[] {
  const { mail, backupTarget, updateUrl } = settings;
  const given = { mail, backups: backupTarget, updates: updateUrl };
  return MISSING_SETTINGS.filter((name) => given[name] === null);
}
