import { MISSING_SETTINGS, type MissingSetting, type Registration } from '#contract/registration.ts';
import type { SignInProvider } from './sign-in-provider.ts';
import { findClubSettings } from '#server/model/club/club-settings-store.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type MailEnvironment, sendsMail } from '#server/model/mail/mail-server.ts';

/** What the calls about credentials need. */
export type CredentialParts = {
  database: OpenDatabase;
  settings: MailEnvironment & {
    publicUrl: string;
    /** Whether people sign in with accounts of this server. */
    hasOwnAccounts: boolean;
    /** Null: what was chosen at the set-up. */
    registration: Registration | null;
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

/** What a club will want and is not set. */
export async function listMissing({ settings, database }: CredentialParts): Promise<MissingSetting[]> {
  const { backupTarget, updateUrl } = settings;
  const isGiven = {
    mail: await sendsMail(database.db, settings),
    backups: backupTarget !== null,
    updates: updateUrl !== null,
  };
  return MISSING_SETTINGS.filter((name) => !isGiven[name]);
}
