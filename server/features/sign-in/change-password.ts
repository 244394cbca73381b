import type { UserId } from '#contract/ids.ts';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  findOwnPassword,
  getCredentialOwner,
  insertPassword,
  removeDevices,
  updatePassword,
} from '#server/model/people/credential-store.ts';
import { countAttempt, deleteAttempts } from './limit-attempts.ts';
import { hashNewPassword, type SiteDeps } from './new-password.ts';
import { verifyPassword } from '#server/model/people/password-hash.ts';

type Change = {
  userId: UserId;
  /** This hash belongs to the auth session of the call, which goes on; all others end. */
  tokenSha256: string;
  isRecent: boolean;
  address: string;
  currentPassword?: string | undefined;
  newPassword: string;
};

/** Changes the password of a user, or adds the first one. @throws AppError */
export async function changePassword(
  site: SiteDeps & { database: OpenDatabase },
  change: Change,
): Promise<void> {
  const { database } = site;
  const { userId, newPassword, tokenSha256 } = change;
  const known = await findOwnPassword(database.db, userId);
  const email = known ? await checkCurrent(database, known, change) : await findFreeEmail(database, change);
  const hash = await hashNewPassword(site, newPassword, [email]);
  await database.db.transaction(async (tx) => {
    const isChanged =
      (await updatePassword(tx, userId, hash)) || (await insertPassword(tx, { userId, email, hash }));
    if (!isChanged) throw new AppError('conflict', 'Another account signs in with your address already.');
    await removeDevices(tx, userId, tokenSha256);
    await recordSignInChange(tx, userId, 'change-password');
  });
}

async function checkCurrent(
  database: OpenDatabase,
  known: { email: string; hash: string },
  { currentPassword, address }: Change,
): Promise<string> {
  await countAttempt(database, known.email, address);
  if (!(await verifyPassword(known.hash, currentPassword ?? ''))) {
    const problem = 'This is not your current password.';
    throw new AppError('invalid_input', problem, { fields: { currentPassword: problem } });
  }
  await deleteAttempts(database, known.email);
  return known.email;
}

/** Finds the user's e-mail address, which a first password needs. */
async function findFreeEmail({ db }: OpenDatabase, { userId, isRecent }: Change): Promise<string> {
  if (!isRecent) throw new AppError('confirmation_needed', 'Sign in again to change how you sign in.');
  const { email, emailVerified } = await getCredentialOwner(db, userId);
  if (email !== null && emailVerified) return email.toLowerCase();
  throw new AppError(
    'conflict',
    'Your provider has not verified an e-mail address of yours, so there is none to sign in with.',
  );
}
