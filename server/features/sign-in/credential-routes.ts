import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { credentialEndpoints } from '#contract/credentials.ts';
import { noteSignInChange } from '#server/model/people/record-sign-in-change.ts';
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
  redeemRecoveryCode,
  removeDevices,
  updatePassword,
} from '#server/model/people/credential-store.ts';
import {
  type CredentialParts,
  findRegistration,
  listMissing,
  requireOwnAccounts,
} from './sign-in-services.ts';
import { countAttempt, countRegistration, forgetAttempts } from './limit-attempts.ts';
import { hashNewPassword } from './new-password.ts';
import { challengeToSignIn, verifyPasskey } from './passkeys.ts';
import { verifyPassword } from '#server/model/people/password-hash.ts';
import { hashRecoveryCode } from './recovery-codes.ts';

const SIGNED_IN = { signedIn: true as const };

/** Sign-ins with what this server keeps itself, and what links do. */
export function mountCredentialRoutes(app: FastifyInstance, parts: CredentialParts): void {
  const { database, settings, provider } = parts;

  serve(app, credentialEndpoints.ways, async () => {
    const club = await findClubSettings(database.db);
    return {
      clubName: club?.name ?? null,
      hasPasswords: settings.hasOwnAccounts,
      provider: provider && { name: provider.name, isLocal: provider.isLocal },
      registration: await findRegistration(parts),
      sendsMail: await sendsMail(database.db, settings),
      isSetUp: !settings.hasOwnAccounts || club !== undefined,
    };
  });

  mountPasswordRoutes(app, parts);
  mountPasskeyRoutes(app, parts);
  mountLinkRoutes(app, parts);
  mountRegistration(app, parts);
}

type Visit = { request: FastifyRequest; reply: FastifyReply };

async function signIn(parts: CredentialParts, visit: Visit, findUser: (tx: Database) => Promise<UserId>) {
  const { database, settings } = parts;
  await startAuthSession({ database, publicUrl: settings.publicUrl }, visit, findUser);
  return SIGNED_IN;
}

function mountPasswordRoutes(app: FastifyInstance, parts: CredentialParts): void {
  const { database } = parts;
  serve(app, credentialEndpoints.signIn, async ({ body: { email, password }, ...visit }) => {
    requireOwnAccounts(parts);
    await countAttempt(database, email, visit.request.ip);
    const known = await findPassword(database.db, email);
    const isRight = await verifyPassword(known?.hash ?? null, password);
    if (!known || !isRight)
      throw new AppError('not_signed_in', 'The e-mail address or the password is wrong.');
    const answer = await signIn(parts, visit, async () => known.userId);
    await forgetAttempts(database, email);
    return answer;
  });

  serve(app, credentialEndpoints.recover, async ({ body: { email, code, newPassword }, ...visit }) => {
    requireOwnAccounts(parts);
    await countAttempt(database, email, visit.request.ip);
    const hash = await hashNewPassword(newPassword, [email]);
    const known = await findPassword(database.db, email);
    return await signIn(parts, visit, async (tx) => {
      if (!known || !(await redeemRecoveryCode(tx, known.userId, hashRecoveryCode(code))))
        throw new AppError('not_signed_in', 'The e-mail address or the recovery code is wrong.');
      await updatePassword(tx, known.userId, hash);
      await removeDevices(tx, known.userId, null);
      await noteSignInChange(tx, known.userId, 'use-recovery-code');
      return known.userId;
    });
  });
}

function mountPasskeyRoutes(app: FastifyInstance, parts: CredentialParts): void {
  const { database, settings } = parts;
  serve(app, credentialEndpoints.passkeyOptions, async () => {
    requireOwnAccounts(parts);
    return { options: { ...(await challengeToSignIn(database.db, settings.publicUrl)) } };
  });

  serve(app, credentialEndpoints.passkeySignIn, async ({ body: { credential }, ...visit }) => {
    requireOwnAccounts(parts);
    const userId = await verifyPasskey(database.db, settings.publicUrl, credential);
    return await signIn(parts, visit, async () => userId);
  });
}

function mountLinkRoutes(app: FastifyInstance, parts: CredentialParts): void {
  const { db } = parts.database;
  serve(app, credentialEndpoints.lookAtLink, async ({ body: { kind, token } }) => {
    requireOwnAccounts(parts);
    const { expiresAt, role, email } = await findLink(db, kind, token);
    const missing = kind === 'set-up' ? await listMissing(parts) : [];
    return { expiresAt: expiresAt.toISOString(), role, email, missing };
  });

  serve(app, credentialEndpoints.acceptInvitation, async ({ body, ...visit }) => {
    requireOwnAccounts(parts);
    if ((await findRegistration(parts)) === 'closed')
      throw new AppError('not_allowed', 'This site takes no new accounts at the moment.');
    const accept = await acceptInvitation(db, body);
    return await signIn(parts, visit, accept);
  });

  serve(app, credentialEndpoints.resetPassword, async ({ body, ...visit }) => {
    requireOwnAccounts(parts);
    const reset = await setNewPassword(db, body);
    return await signIn(parts, visit, reset);
  });

  serve(app, credentialEndpoints.signInByLink, async ({ body: { token }, ...visit }) => {
    requireOwnAccounts(parts);
    return await signIn(parts, visit, openSignInLink(token));
  });

  serve(app, credentialEndpoints.setUp, async ({ body, ...visit }) => {
    requireOwnAccounts(parts);
    const setUp = await setUpClub(db, parts.settings, body);
    return await signIn(parts, visit, setUp);
  });
}

function mountRegistration(app: FastifyInstance, parts: CredentialParts): void {
  serve(app, credentialEndpoints.register, async ({ body, ...visit }) => {
    requireOwnAccounts(parts);
    if ((await findRegistration(parts)) !== 'open')
      throw new AppError('not_allowed', 'This site takes new accounts by invitation only.');
    await countRegistration(parts.database, visit.request.ip);
    return await signIn(parts, visit, await register(body));
  });
}
