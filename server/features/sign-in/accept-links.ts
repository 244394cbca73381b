import type { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import type { credentialEndpoints } from '#contract/sign-in/schemas.ts';
import type { LinkKind } from '#contract/sign-in/labels.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { saveClubSettings } from '#server/model/club/club-settings-store.ts';
import { checkFullNameIsFree } from '#server/model/people/name-store.ts';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import { hasOwner } from '#server/model/people/role-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type MailEnvironment, saveMailSettings } from '#server/model/mail/mail-server.ts';
import {
  confirmEmail,
  findOwnPassword,
  insertOwnUser,
  insertPassword,
  removeDevices,
  updatePassword,
} from '#server/model/people/credential-store.ts';
import {
  findOneTimeToken,
  type OneTimeToken,
  redeemOneTimeToken,
  removeOneTimeTokens,
} from '#server/model/people/one-time-token-store.ts';
import { hashNewPassword } from './new-password.ts';

type BodyFor<Name extends 'acceptInvitation' | 'register' | 'resetPassword' | 'setUp'> = z.output<
  (typeof credentialEndpoints)[Name]['body']
>;

/** Does the work of a link within the transaction that starts the auth session, and returns the user to sign in. */
type Accept = (tx: Database) => Promise<UserId>;

const GONE = {
  'set-up': 'This set-up link has been used or has expired. Start the server again for a new one.',
  invitation: 'This invitation has been used or has expired. Ask for a new one.',
  reset: 'This link has been used or has expired. Ask for a new one.',
  'sign-in': 'This link has been used or has expired. Ask for a new one.',
  confirmation: 'This link has been used or has expired. Switch Email Updates on again for a new one.',
};

/**
 * Finds the purpose of a link that can still be used.
 * @throws AppError `not_found`
 */
export async function findLink(
  db: Database,
  kind: LinkKind,
  token: string,
): Promise<Pick<OneTimeToken, 'expiresAt' | 'role' | 'email' | 'userId'>> {
  const link = await findOneTimeToken(db, kind, token);
  if (!link) throw new AppError('not_found', GONE[kind]);
  if (kind !== 'reset' || link.userId === null) return link;
  return { ...link, email: (await findOwnPassword(db, link.userId))?.email ?? link.email };
}

async function redeem(tx: Database, kind: LinkKind, token: string): Promise<OneTimeToken> {
  const link = await redeemOneTimeToken(tx, kind, token);
  if (!link) throw new AppError('not_found', GONE[kind]);
  return link;
}

/**
 * Makes the account of an invited driver.
 * @throws AppError `not_found`, `invalid_input` for the fields, `conflict`
 */
export async function acceptInvitation(
  db: Database,
  { token, email, password, ...names }: BodyFor<'acceptInvitation'>,
): Promise<Accept> {
  const { email: onlyFor } = await findLink(db, 'invitation', token);
  if (onlyFor !== null && onlyFor !== email) {
    const problem = `This invitation is for ${onlyFor}.`;
    throw new AppError('invalid_input', problem, { fields: { email: problem } });
  }
  const hash = await hashNewPassword(password, [email, ...Object.values(names)], 'password');
  return async (tx) => {
    const { role, provesEmail } = await redeem(tx, 'invitation', token);
    const account = { ...names, email, hash, role: role ?? 'member', emailVerified: provesEmail };
    const userId = await insertAccount(tx, account);
    await insertAuditEntry(tx, { userId, action: 'accept-invitation', subject: userId, counts: {} });
    return userId;
  };
}

/**
 * Makes the account of a member who has no link.
 * @throws AppError `invalid_input` for the fields, `conflict`
 */
export async function register({ email, password, ...names }: BodyFor<'register'>): Promise<Accept> {
  const hash = await hashNewPassword(password, [email, ...Object.values(names)], 'password');
  return async (tx) => {
    const userId = await insertAccount(tx, { ...names, email, hash, role: 'member', emailVerified: false });
    await insertAuditEntry(tx, { userId, action: 'register', subject: userId, counts: {} });
    return userId;
  };
}

/**
 * Sets the password of a reset link's user.
 * @throws AppError `not_found`, `invalid_input` for the field
 */
export async function setNewPassword(
  db: Database,
  { token, newPassword }: BodyFor<'resetPassword'>,
): Promise<Accept> {
  const { email } = await findLink(db, 'reset', token);
  const hash = await hashNewPassword(newPassword, email === null ? [] : [email]);
  return async (tx) => {
    const { userId, email } = await redeem(tx, 'reset', token);
    if (userId === null || !(await updatePassword(tx, userId, hash)))
      throw new AppError('not_found', GONE.reset);
    if (email !== null) await confirmEmail(tx, userId, email);
    await removeOneTimeTokens(tx, 'reset', userId);
    await removeDevices(tx, userId, null);
    await recordSignInChange(tx, userId, 'reset-password');
    return userId;
  };
}

/** Signs in with a mailed link, which proves that the e-mail address is the user's. */
export function openSignInLink(token: string): Accept {
  return async (tx) => {
    const { userId, email } = await redeem(tx, 'sign-in', token);
    if (userId === null || email === null) throw new AppError('not_found', GONE['sign-in']);
    await confirmEmail(tx, userId, email);
    return userId;
  };
}

/**
 * Confirms by a mailed link that the e-mail address is the user's.
 * @throws AppError `not_found`
 */
export async function confirmByLink(tx: Database, token: string): Promise<void> {
  const { userId, email } = await redeem(tx, 'confirmation', token);
  if (userId !== null && email !== null) await confirmEmail(tx, userId, email);
}

/**
 * Makes the owner's account and the club.
 * @throws AppError `not_found`, `invalid_input` for the field, `conflict`
 */
export async function setUpClub(
  db: Database,
  settings: MailEnvironment,
  { token, email, password, clubName, timeZone, registration, mail, ...names }: BodyFor<'setUp'>,
): Promise<Accept> {
  await findLink(db, 'set-up', token);
  const hash = await hashNewPassword(password, [email, clubName, ...Object.values(names)], 'password');
  return async (tx) => {
    await redeem(tx, 'set-up', token);
    // If two links are used at the same time, the second use finds the owner whom the first one made.
    if (await hasOwner(tx))
      throw new AppError('not_found', 'This site has an owner already. Sign in instead.');
    await saveClubSettings(tx, { name: clubName, timeZone, registration });
    const userId = await insertAccount(tx, { ...names, email, hash, role: 'owner', emailVerified: true });
    await insertAuditEntry(tx, { userId, action: 'set-up', subject: userId, counts: {} });
    if (mail) await saveMailSettings(tx, settings, { typed: mail, userId });
    return userId;
  };
}

type NewAccount = Parameters<typeof insertOwnUser>[1] & { hash: string };

async function insertAccount(tx: Database, { hash, ...user }: NewAccount): Promise<UserId> {
  await checkFullNameIsFree(tx, `${user.firstName} ${user.lastName}`);
  const userId = await insertOwnUser(tx, user);
  if (await insertPassword(tx, { userId, email: user.email, hash })) return userId;
  throw new AppError('conflict', 'There is an account with this address already. Sign in instead.');
}
