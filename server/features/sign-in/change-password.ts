import type { UserId } from '#contract/ids.ts';
import type { EndedWithPassword } from '#contract/sign-in/credential-fields.ts';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findAuthSession } from '#server/model/people/auth-session-store.ts';
import {
  findOwnPassword,
  getCredentialOwner,
  insertPassword,
  updatePassword,
} from '#server/model/people/credential-store.ts';
import { countEndingWithPassword, endByEvent, lockUsers } from '#server/model/people/ending-store.ts';
import { verifyPassword } from '#server/model/people/password-hash.ts';
import type { EndingThing } from '#server/model/people/what-ends.ts';
import { countAttemptOfSession, deleteAttemptsOfSession } from './limit-attempts.ts';
import { hashNewPassword } from './new-password.ts';

type Change = {
  /** The auth session of the call goes on; all others end. */
  session: { id: string; userId: UserId; tokenSha256: string; isRecent: boolean };
  currentPassword?: string | undefined;
  newPassword: string;
  /** Ends these things too. */
  alsoEnd: readonly EndingThing[];
};

/** Changes the password of a user, or adds the first one; returns its hash and what ended with the old one. @throws AppError */
export async function changePassword(
  { database, publicUrl }: { database: OpenDatabase; publicUrl: string },
  change: Change,
): Promise<{ hash: string; ended: EndedWithPassword }> {
  const { newPassword, alsoEnd, session } = change;
  const { userId, tokenSha256 } = session;
  const known = await findOwnPassword(database.db, userId);
  const before = known?.hash ?? null;
  if (before !== null) await checkCurrent(database, before, change);
  else if (!session.isRecent)
    throw new AppError('confirmation_needed', 'Sign in again to change how you sign in.');
  const email = known?.email ?? (await findFreeEmail(database, userId));
  const hash = await hashNewPassword({ db: database.db, publicUrl }, newPassword, [email]);
  const ended = await database.db.transaction(async (tx) => {
    await lockUsers(tx, [userId]);
    // The session or the password may have ended in the meantime.
    if (
      !(await findAuthSession(tx, tokenSha256)) ||
      ((await findOwnPassword(tx, userId))?.hash ?? null) !== before
    )
      throw new AppError('not_signed_in', 'Please sign in first.');
    const ended = await countEndingWithPassword(tx, userId);
    await endByEvent(tx, 'passwordChanged', { userId, tokenSha256, chosen: alsoEnd });
    const isChanged =
      (await updatePassword(tx, userId, hash)) || (await insertPassword(tx, { userId, email, hash }));
    if (!isChanged) throw new AppError('conflict', 'Another account signs in with your address already.');
    await recordSignInChange(tx, userId, 'change-password');
    return ended;
  });
  return { hash, ended };
}

async function checkCurrent(
  database: OpenDatabase,
  hash: string,
  { currentPassword, session }: Change,
): Promise<void> {
  await countAttemptOfSession(database, session.id);
  if (!(await verifyPassword(hash, currentPassword ?? ''))) {
    const problem = 'This is not your current password.';
    throw new AppError('invalid_input', problem, { fields: { currentPassword: problem } });
  }
  await deleteAttemptsOfSession(database, session.id);
}

/** Finds the user's e-mail address, which a first password needs. */
async function findFreeEmail({ db }: OpenDatabase, userId: UserId): Promise<string> {
  const { email, emailVerified } = await getCredentialOwner(db, userId);
  if (email !== null && emailVerified) return email.toLowerCase();
  throw new AppError(
    'conflict',
    'Your provider has not verified an e-mail address of yours, so there is none to sign in with.',
  );
}
