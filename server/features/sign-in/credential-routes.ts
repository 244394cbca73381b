import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import type { EndedWithPassword } from '#contract/sign-in/credential-fields.ts';
import { credentialEndpoints } from '#contract/sign-in/schemas.ts';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import { findClubSettings } from '#server/model/club/club-settings-store.ts';
import { startAuthSession } from './start-auth-session.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { sendsMail } from '#server/model/mail/mail-server.ts';
import {
  acceptInvitation,
  confirmByLink,
  findLink,
  openSignInLink,
  register,
  type SetPassword,
  setNewPassword,
  setUpClub,
} from './accept-links.ts';
import { countLinkedIdentities } from '#server/model/people/auth-session-store.ts';
import {
  findOwnPassword,
  findPasskey,
  findPassword,
  findRecoveryCodeOwner,
  listPasskeys,
  redeemRecoveryCode,
  updatePassword,
} from '#server/model/people/credential-store.ts';
import { countEndingWithPassword, endByEvent, lockUsers } from '#server/model/people/ending-store.ts';
import { findKnownDevice } from './known-device.ts';
import { type SignInServices, findRegistration, listMissing, requireOwnAccounts } from './own-accounts.ts';
import { countAttempt, countRegistration, deleteAttempts } from './limit-attempts.ts';
import { hashNewPassword } from './new-password.ts';
import { challengeToSignIn, refusePasskey, verifyPasskey } from './passkeys.ts';
import { verifyPassword } from '#server/model/people/password-hash.ts';
import { hashRecoveryCode } from './recovery-codes.ts';

const SIGNED_IN = { signedIn: true as const };

/** Serves sign-ins with the credentials that this server stores, and the links that it makes. */
export function mountCredentialRoutes(app: FastifyInstance, services: SignInServices): void {
  const { database, settings, provider } = services;

  serve(app, credentialEndpoints.methods, async () => {
    const club = await findClubSettings(database.db);
    return {
      clubName: club?.name ?? null,
      hasPasswords: settings.hasOwnAccounts,
      provider: provider && { name: provider.name, isLocal: provider.isLocal },
      registration: await findRegistration(services),
      sendsMail: await sendsMail(database.db, settings),
      isSetUp: !settings.hasOwnAccounts || club !== undefined,
    };
  });

  mountPasswordRoutes(app, services);
  mountPasskeyRoutes(app, services);
  mountLinkRoutes(app, services);
  mountRegistration(app, services);
}

type Visit = { request: FastifyRequest; reply: FastifyReply };

/** Signs the browser in as the user whom `findUser` returns. */
async function start(services: SignInServices, visit: Visit, findUser: (tx: Database) => Promise<UserId>) {
  const { database, settings } = services;
  return await startAuthSession({ database, publicUrl: settings.publicUrl }, visit, findUser);
}

async function signIn(services: SignInServices, visit: Visit, findUser: (tx: Database) => Promise<UserId>) {
  await start(services, visit, findUser);
  return SIGNED_IN;
}

/** Signs in with a new password; says what ended with the old one, and what still opens the account. */
async function signInAfterTheft(services: SignInServices, visit: Visit, setPassword: SetPassword) {
  let ended: EndedWithPassword = { apiTokens: 0, recoveryCodes: 0, linksMade: 0 };
  const userId = await start(services, visit, async (tx) => {
    const done = await setPassword(tx);
    ended = done.ended;
    return done.userId;
  });
  const { db } = services.database;
  const passkeys = (await listPasskeys(db, userId)).length;
  const linkedIdentities = await countLinkedIdentities(db, userId);
  return { ...SIGNED_IN, ended, kept: { passkeys, linkedIdentities } };
}

/** Finds the account of an attempt, and counts the attempt. @throws AppError `too_many_requests` */
async function findAttempted({ database, settings }: SignInServices, email: string, request: FastifyRequest) {
  const known = await findPassword(database.db, email);
  const device = findKnownDevice(request, settings.publicUrl, known);
  const attempt = { email, address: request.ip, device };
  await countAttempt(database, attempt);
  return { known, attempt };
}

function mountPasswordRoutes(app: FastifyInstance, services: SignInServices): void {
  const { database } = services;
  serve(app, credentialEndpoints.signIn, async ({ body: { email, password }, ...visit }) => {
    requireOwnAccounts(services.settings);
    const { known, attempt } = await findAttempted(services, email, visit.request);
    const isRight = await verifyPassword(known?.hash ?? null, password);
    const wrong = new AppError('not_signed_in', 'The e-mail address or the password is wrong.');
    if (!known || !isRight) throw wrong;
    const answer = await signIn(services, visit, async (tx) => {
      await lockUsers(tx, [known.userId]);
      // The password may have ended while it was checked.
      if ((await findOwnPassword(tx, known.userId))?.hash !== known.hash) throw wrong;
      return known.userId;
    });
    await deleteAttempts(database, attempt);
    return answer;
  });

  serve(app, credentialEndpoints.recover, async ({ body: { email, code, newPassword }, ...visit }) => {
    requireOwnAccounts(services.settings);
    const { attempt } = await findAttempted(services, email, visit.request);
    const codeSha256 = hashRecoveryCode(code);
    const wrong = new AppError('not_signed_in', 'The e-mail address or the recovery code is wrong.');
    const userId = await findRecoveryCodeOwner(database.db, email, codeSha256);
    if (userId === undefined) throw wrong;
    const { publicUrl } = services.settings;
    const hash = await hashNewPassword({ db: database.db, publicUrl }, newPassword, [email]);
    const answer = await signInAfterTheft(services, visit, async (tx) => {
      await lockUsers(tx, [userId]);
      if (!(await redeemRecoveryCode(tx, userId, codeSha256))) throw wrong;
      const ended = await countEndingWithPassword(tx, userId);
      await endByEvent(tx, 'recoveryCodeUsed', { userId });
      await updatePassword(tx, userId, hash);
      await recordSignInChange(tx, userId, 'use-recovery-code');
      return { userId, ended };
    });
    await deleteAttempts(database, attempt);
    return answer;
  });
}

function mountPasskeyRoutes(app: FastifyInstance, services: SignInServices): void {
  const { database, settings } = services;
  serve(app, credentialEndpoints.passkeyOptions, async () => {
    requireOwnAccounts(services.settings);
    return { options: { ...(await challengeToSignIn(database.db, settings.publicUrl)) } };
  });

  serve(app, credentialEndpoints.passkeySignIn, async ({ body: { credential }, ...visit }) => {
    requireOwnAccounts(services.settings);
    const userId = await verifyPasskey(database.db, settings.publicUrl, credential);
    return await signIn(services, visit, async (tx) => {
      await lockUsers(tx, [userId]);
      // The passkey may have been removed while it was checked.
      if (!(await findPasskey(tx, credential.id))) throw refusePasskey();
      return userId;
    });
  });
}

function mountLinkRoutes(app: FastifyInstance, services: SignInServices): void {
  const deps = {
    db: services.database.db,
    adminEmails: services.adminEmails,
    publicUrl: services.settings.publicUrl,
  };
  serve(app, credentialEndpoints.lookAtLink, async ({ body: { kind, token } }) => {
    requireOwnAccounts(services.settings);
    const { expiresAt, role, email, name } = await findLink(deps, kind, token);
    const missing = kind === 'set-up' ? await listMissing(services) : [];
    const fixedRegistration = services.settings.registration;
    return { expiresAt: expiresAt.toISOString(), role, email, name, missing, fixedRegistration };
  });

  serve(app, credentialEndpoints.acceptInvitation, async ({ body, ...visit }) => {
    requireOwnAccounts(services.settings);
    if ((await findRegistration(services)) === 'closed')
      throw new AppError('not_allowed', 'This site takes no new accounts at the moment.');
    const accept = await acceptInvitation(deps, body);
    return await signIn(services, visit, accept);
  });

  serve(app, credentialEndpoints.resetPassword, async ({ body, ...visit }) => {
    requireOwnAccounts(services.settings);
    const reset = await setNewPassword(deps, body);
    return await signInAfterTheft(services, visit, reset);
  });

  serve(app, credentialEndpoints.signInByLink, async ({ body: { token }, ...visit }) => {
    requireOwnAccounts(services.settings);
    const userId = await start(services, visit, openSignInLink(deps, token));
    return { ...SIGNED_IN, needsPassword: await needsPassword(deps.db, userId) };
  });

  serve(app, credentialEndpoints.confirm, async ({ viewer, body: { token }, ...visit }) => {
    requireOwnAccounts(services.settings);
    // The proof by mail is a sign-in, so the session begins again and a new password can be set at once.
    const userId = await start(services, visit, confirmByLink(deps, viewer.id, token));
    return { confirmed: true as const, needsPassword: await needsPassword(deps.db, userId) };
  });

  serve(app, credentialEndpoints.setUp, async ({ body, ...visit }) => {
    requireOwnAccounts(services.settings);
    const setUp = await setUpClub(deps, services.settings, body);
    const answer = await signIn(services, visit, setUp);
    await services.deleteSetUpLink();
    return answer;
  });
}

/** Tells whether an account of this server has lost its password and waits for a new one. */
async function needsPassword(db: Database, userId: UserId): Promise<boolean> {
  return (await findOwnPassword(db, userId))?.hash === null;
}

function mountRegistration(app: FastifyInstance, services: SignInServices): void {
  serve(app, credentialEndpoints.register, async ({ body, ...visit }) => {
    requireOwnAccounts(services.settings);
    if ((await findRegistration(services)) !== 'open')
      throw new AppError('not_allowed', 'This site takes new accounts by invitation only.');
    await countRegistration(services.database, visit.request.ip);
    return await signIn(
      services,
      visit,
      await register({ db: services.database.db, publicUrl: services.settings.publicUrl }, body),
    );
  });
}
