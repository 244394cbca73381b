import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UserId } from '#contract/ids.ts';
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
  findLink,
  openSignInLink,
  register,
  setNewPassword,
  setUpClub,
} from './accept-links.ts';
import {
  findPassword,
  findRecoveryCodeOwner,
  redeemRecoveryCode,
  removeDevices,
  updatePassword,
} from '#server/model/people/credential-store.ts';
import { type SignInServices, findRegistration, listMissing, requireOwnAccounts } from './own-accounts.ts';
import { countAttempt, countRegistration, deleteAttempts } from './limit-attempts.ts';
import { hashNewPassword } from './new-password.ts';
import { challengeToSignIn, verifyPasskey } from './passkeys.ts';
import { verifyPassword } from '#server/model/people/password-hash.ts';
import { hashRecoveryCode } from './recovery-codes.ts';

const SIGNED_IN = { signedIn: true as const };
const WRONG_CODE = 'The e-mail address or the recovery code is wrong.';

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

async function signIn(services: SignInServices, visit: Visit, findUser: (tx: Database) => Promise<UserId>) {
  const { database, settings } = services;
  await startAuthSession({ database, publicUrl: settings.publicUrl }, visit, findUser);
  return SIGNED_IN;
}

function mountPasswordRoutes(app: FastifyInstance, services: SignInServices): void {
  const { database } = services;
  serve(app, credentialEndpoints.signIn, async ({ body: { email, password }, ...visit }) => {
    requireOwnAccounts(services.settings);
    await countAttempt(database, email, visit.request.ip);
    const known = await findPassword(database.db, email);
    const isRight = await verifyPassword(known?.hash ?? null, password);
    if (!known || !isRight)
      throw new AppError('not_signed_in', 'The e-mail address or the password is wrong.');
    const answer = await signIn(services, visit, async () => known.userId);
    await deleteAttempts(database, email);
    return answer;
  });

  serve(app, credentialEndpoints.recover, async ({ body: { email, code, newPassword }, ...visit }) => {
    requireOwnAccounts(services.settings);
    await countAttempt(database, email, visit.request.ip);
    const codeSha256 = hashRecoveryCode(code);
    const userId = await findRecoveryCodeOwner(database.db, email, codeSha256);
    if (userId === undefined) throw new AppError('not_signed_in', WRONG_CODE);
    const hash = await hashNewPassword(services, newPassword, [email]);
    return await signIn(services, visit, async (tx) => {
      if (!(await redeemRecoveryCode(tx, userId, codeSha256)))
        throw new AppError('not_signed_in', WRONG_CODE);
      await updatePassword(tx, userId, hash);
      await removeDevices(tx, userId, null);
      await recordSignInChange(tx, userId, 'use-recovery-code');
      return userId;
    });
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
    return await signIn(services, visit, async () => userId);
  });
}

function mountLinkRoutes(app: FastifyInstance, services: SignInServices): void {
  const { db } = services.database;
  serve(app, credentialEndpoints.lookAtLink, async ({ body: { kind, token } }) => {
    requireOwnAccounts(services.settings);
    const { expiresAt, role, email } = await findLink(db, kind, token);
    const missing = kind === 'set-up' ? await listMissing(services) : [];
    return { expiresAt: expiresAt.toISOString(), role, email, missing };
  });

  serve(app, credentialEndpoints.acceptInvitation, async ({ body, ...visit }) => {
    requireOwnAccounts(services.settings);
    if ((await findRegistration(services)) === 'closed')
      throw new AppError('not_allowed', 'This site takes no new accounts at the moment.');
    const accept = await acceptInvitation(services, body);
    return await signIn(services, visit, accept);
  });

  serve(app, credentialEndpoints.resetPassword, async ({ body, ...visit }) => {
    requireOwnAccounts(services.settings);
    const reset = await setNewPassword(services, body);
    return await signIn(services, visit, reset);
  });

  serve(app, credentialEndpoints.signInByLink, async ({ body: { token }, ...visit }) => {
    requireOwnAccounts(services.settings);
    return await signIn(services, visit, openSignInLink(token));
  });

  serve(app, credentialEndpoints.setUp, async ({ body, ...visit }) => {
    requireOwnAccounts(services.settings);
    const setUp = await setUpClub(services, body);
    return await signIn(services, visit, setUp);
  });
}

function mountRegistration(app: FastifyInstance, services: SignInServices): void {
  serve(app, credentialEndpoints.register, async ({ body, ...visit }) => {
    requireOwnAccounts(services.settings);
    if ((await findRegistration(services)) !== 'open')
      throw new AppError('not_allowed', 'This site takes new accounts by invitation only.');
    await countRegistration(services.database, visit.request.ip);
    return await signIn(services, visit, await register(services, body));
  });
}
