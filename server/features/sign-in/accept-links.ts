import type { z } from 'zod';
import type { UserId } from '#contract/ids.ts';
import type { EndedWithPassword } from '#contract/sign-in/credential-fields.ts';
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
  getCredentialOwner,
  insertOwnUser,
  insertPassword,
  updatePassword,
} from '#server/model/people/credential-store.ts';
import { countEndingWithPassword, endByEvent, lockUsers } from '#server/model/people/ending-store.ts';
import { isMakerStillAllowed } from '#server/model/people/link-rules.ts';
import {
  findOneTimeToken,
  type OneTimeToken,
  redeemOneTimeToken,
} from '#server/model/people/one-time-token-store.ts';
import { hashNewPassword, type SiteDeps } from './new-password.ts';

type BodyFor<Name extends 'acceptInvitation' | 'register' | 'resetPassword' | 'setUp'> = z.output<
  (typeof credentialEndpoints)[Name]['body']
>;

/** Does the work of a link within the transaction that starts the auth session, and returns the user to sign in. */
type Accept = (tx: Database) => Promise<UserId>;
export type SetPassword = (tx: Database) => Promise<{ userId: UserId; ended: EndedWithPassword }>;

const GONE = {
  'set-up': 'This set-up link has been used or has expired. Start the server again for a new one.',
  invitation: 'This invitation has been used or has expired. Ask for a new one.',
  reset: 'This link has been used or has expired. Ask for a new one.',
  'sign-in': 'This link has been used or has expired. Ask for a new one.',
  confirmation: 'This link has been used or has expired. Switch Email Updates on again for a new one.',
};

/** Holds the addresses of owners by settings, which decide who may still have made a link. */
type LinkDeps = { db: Database; adminEmails: ReadonlySet<string> };

type FoundLink = Pick<OneTimeToken, 'expiresAt' | 'role' | 'email' | 'userId'> & { name: string | null };

/**
 * Finds the purpose of a link that can still be used, and the name of the person whose account it opens.
 * @throws AppError `not_found`
 */
export async function findLink(
  { db, adminEmails }: LinkDeps,
  kind: LinkKind,
  token: string,
): Promise<FoundLink> {
  const link = await findOneTimeToken(db, kind, token);
  if (!link || !(await isMakerStillAllowed(db, link, adminEmails)))
    throw new AppError('not_found', GONE[kind]);
  if (link.userId === null) return { ...link, name: null };
  const { fullName } = await getCredentialOwner(db, link.userId);
  const email = kind === 'reset' ? (await findOwnPassword(db, link.userId))?.email : null;
  return { ...link, email: email ?? link.email, name: fullName };
}

/** Redeems a link, after a lock on the user whose account it opens. */
async function redeem(
  tx: Database,
  { adminEmails }: LinkDeps,
  kind: LinkKind,
  token: string,
): Promise<OneTimeToken> {
  const found = await findOneTimeToken(tx, kind, token);
  if (found?.userId) await lockUsers(tx, [found.userId]);
  const link = await redeemOneTimeToken(tx, kind, token);
  if (!link || !(await isMakerStillAllowed(tx, link, adminEmails)))
    throw new AppError('not_found', GONE[kind]);
  return link;
}

/** Records that an email address belongs to its user; the first time it ends everything that was there before. */
async function proveEmail(tx: Database, userId: UserId, email: string): Promise<void> {
  if (!(await confirmEmail(tx, userId, email))) return;
  await endByEvent(tx, 'emailFirstProved', { userId });
  await recordSignInChange(tx, userId, 'prove-email');
}

/**
 * Makes the account of an invited driver.
 * @throws AppError `not_found`, `invalid_input` for the fields, `conflict`
 */
export async function acceptInvitation(
  deps: LinkDeps & SiteDeps,
  { token, email, password, ...names }: BodyFor<'acceptInvitation'>,
): Promise<Accept> {
  const { email: onlyFor } = await findLink(deps, 'invitation', token);
  if (onlyFor !== null && onlyFor !== email) {
    const problem = `This invitation is for ${onlyFor}.`;
    throw new AppError('invalid_input', problem, { fields: { email: problem } });
  }
  const hash = await hashNewPassword(deps, password, [email, ...Object.values(names)], 'password');
  return async (tx) => {
    const { role, provesEmail } = await redeem(tx, deps, 'invitation', token);
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
export async function register(
  deps: SiteDeps,
  { email, password, ...names }: BodyFor<'register'>,
): Promise<Accept> {
  const hash = await hashNewPassword(deps, password, [email, ...Object.values(names)], 'password');
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
  deps: LinkDeps & SiteDeps,
  { token, newPassword }: BodyFor<'resetPassword'>,
): Promise<SetPassword> {
  const { email } = await findLink(deps, 'reset', token);
  const hash = await hashNewPassword(deps, newPassword, email === null ? [] : [email]);
  return async (tx) => {
    const { userId, email } = await redeem(tx, deps, 'reset', token);
    if (userId === null) throw new AppError('not_found', GONE.reset);
    const ended = await countEndingWithPassword(tx, userId);
    if (email !== null) await proveEmail(tx, userId, email);
    await endByEvent(tx, 'passwordReset', { userId });
    if (!(await updatePassword(tx, userId, hash))) throw new AppError('not_found', GONE.reset);
    await recordSignInChange(tx, userId, 'reset-password');
    return { userId, ended };
  };
}

/** Signs in with a mailed link, which proves that the e-mail address is the user's. */
export function openSignInLink(deps: LinkDeps, token: string): Accept {
  return async (tx) => {
    const { userId, email } = await redeem(tx, deps, 'sign-in', token);
    if (userId === null || email === null) throw new AppError('not_found', GONE['sign-in']);
    await proveEmail(tx, userId, email);
    return userId;
  };
}

/**
 * Confirms by a mailed link that the e-mail address is that of the viewer. In any other browser the link counts for
 * nothing: the reader of the mail may not be the person who made the account.
 * @throws AppError `not_found`, `not_allowed`
 */
export function confirmByLink(deps: LinkDeps, viewerId: UserId, token: string): Accept {
  return async (tx) => {
    const { userId, email } = await redeem(tx, deps, 'confirmation', token);
    if (userId === null || email === null) throw new AppError('not_found', GONE.confirmation);
    // The refusal undoes the redemption.
    if (userId !== viewerId)
      throw new AppError('not_allowed', 'This link is for another account. Sign in to that one first.');
    await proveEmail(tx, userId, email);
    return userId;
  };
}

/**
 * Makes the owner's account and the club.
 * @throws AppError `not_found`, `invalid_input` for the field, `conflict`
 */
export async function setUpClub(
  deps: LinkDeps & SiteDeps,
  settings: MailEnvironment,
  { token, email, password, clubName, timeZone, registration, mail, ...names }: BodyFor<'setUp'>,
): Promise<Accept> {
  await findLink(deps, 'set-up', token);
  const hash = await hashNewPassword(deps, password, [email, clubName, ...Object.values(names)], 'password');
  return async (tx) => {
    await redeem(tx, deps, 'set-up', token);
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
