import type { FastifyInstance } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { ownCredentialEndpoints } from '#contract/sign-in/own-credentials.ts';
import type { Viewer } from '#contract/people/labels.ts';
import { ATTEMPT_COOKIE, ATTEMPT_LASTS_MS } from './sign-in-attempt.ts';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import { OWN_ISSUER } from '#server/model/people/identity.ts';
import { cookieOptions } from '#server/model/people/auth-cookie.ts';
import { countLinkedIdentities } from '#server/model/people/auth-session-store.ts';
import { findSiteName } from '#server/model/club/club-settings-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { changePassword } from './change-password.ts';
import { rememberDevice } from './known-device.ts';
import { type SignInServices, requireOwnAccounts } from './own-accounts.ts';
import {
  countRecoveryCodes,
  findDeviceOwner,
  findOwnPassword,
  findPasskeyOwner,
  getCredentialOwner,
  listDevices,
  listPasskeys,
  insertRecoveryCodes,
  renamePasskey,
} from '#server/model/people/credential-store.ts';
import { endByEvent } from '#server/model/people/ending-store.ts';
import { describeDevice } from './describe-device.ts';
import { addPasskey, challengeNewPasskey } from './passkeys.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { getAuthSession, holdAuthSession } from '#server/model/people/recent-sign-in.ts';

const REMOVED = { removed: true as const };

/** Serves the sign-in methods of the signed-in user, and their changes. */
export function mountOwnCredentialRoutes(app: FastifyInstance, services: SignInServices): void {
  mountOverview(app, services);
  mountPasswordRoutes(app, services);
  mountPasskeyRoutes(app, services);
  mountDeviceRoutes(app, services);
  mountLinkRoutes(app, services);
}

/** Finds the outside provider, whose identities can be linked to the accounts of this server. */
async function findLinkable({ database, provider }: SignInServices, userId: UserId) {
  const { issuer } = await getCredentialOwner(database.db, userId);
  return issuer === OWN_ISSUER && provider?.isLocal === false ? provider : null;
}

function mountOverview(app: FastifyInstance, services: SignInServices): void {
  const { database, settings } = services;
  const { db } = database;
  serve(app, ownCredentialEndpoints.get, async ({ viewer, request }) => {
    const session = await getAuthSession(services, request);
    const passkeys = await listPasskeys(db, viewer.id);
    const devices = await listDevices(db, viewer.id);
    const password = await findOwnPassword(db, viewer.id);
    const isLinked = (await countLinkedIdentities(db, viewer.id)) > 0;
    const linkable = await findLinkable(services, viewer.id);
    return {
      signInEmail: password?.email ?? null,
      hasPassword: typeof password?.hash === 'string',
      mayHavePassword: settings.hasOwnAccounts,
      isRecent: session.isRecent,
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
      recoveryCodesLeft: await countRecoveryCodes(db, viewer.id),
      linkableProvider: linkable && { name: linkable.name, isLinked },
      devices: devices.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
        id,
        device: describeDevice(userAgent),
        isThisOne: id === session.id,
        signedInAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
      })),
    };
  });
}

function mountPasswordRoutes(app: FastifyInstance, services: SignInServices): void {
  const { db } = services.database;
  serve(app, ownCredentialEndpoints.changePassword, async ({ viewer, body, request, reply }) => {
    requireOwnAccounts(services.settings);
    const session = await getAuthSession(services, request);
    const { publicUrl } = services.settings;
    const deps = { database: services.database, publicUrl };
    const { hash, ended } = await changePassword(deps, { ...body, session });
    rememberDevice({ request, reply }, publicUrl, { userId: viewer.id, hash });
    return { changed: true as const, ended };
  });

  serve(app, ownCredentialEndpoints.makeRecoveryCodes, async ({ viewer, request }) => {
    requireOwnAccounts(services.settings);
    if (!(await hasPassword(db, viewer.id)))
      throw new AppError('conflict', 'Set a password first: they replace a lost password.');
    const { codes, hashes } = makeRecoveryCodes();
    await db.transaction(async (tx) => {
      await holdAuthSession(tx, services, request);
      await endByEvent(tx, 'recoveryCodesReplaced', { userId: viewer.id });
      await insertRecoveryCodes(tx, viewer.id, hashes);
      await recordSignInChange(tx, viewer.id, 'make-recovery-codes');
    });
    return { codes };
  });
}

function mountPasskeyRoutes(app: FastifyInstance, services: SignInServices): void {
  const { database, settings } = services;
  const { db } = database;
  serve(app, ownCredentialEndpoints.newPasskeyOptions, async ({ viewer }) => {
    requireOwnAccounts(services.settings);
    const { email, fullName } = await getCredentialOwner(db, viewer.id);
    const clubName = await findSiteName(db);
    const user = { id: viewer.id, userName: email ?? fullName ?? 'Driver', clubName };
    return { options: { ...(await challengeNewPasskey(db, settings.publicUrl, user)) } };
  });

  serve(app, ownCredentialEndpoints.addPasskey, async ({ viewer, body, request }) => {
    requireOwnAccounts(services.settings);
    const hold = (tx: Database) => holdAuthSession(tx, services, request);
    await addPasskey(db, settings.publicUrl, { userId: viewer.id, hold, ...body });
    return { added: true as const };
  });

  serve(
    app,
    ownCredentialEndpoints.renamePasskey,
    async ({ viewer, params: { passkeyId }, body: { name } }) => {
      requireOwn(await findPasskeyOwner(db, passkeyId), viewer, 'passkey');
      await renamePasskey(db, passkeyId, name);
      return { renamed: true as const };
    },
  );

  serve(app, ownCredentialEndpoints.deletePasskey, async ({ viewer, params: { passkeyId } }) => {
    requireOwn(await findPasskeyOwner(db, passkeyId), viewer, 'passkey');
    await db.transaction(async (tx) => {
      await endByEvent(tx, 'passkeyRemoved', { userId: viewer.id, one: { passkeys: passkeyId } });
      await requireWayIn(tx, viewer.id);
      await recordSignInChange(tx, viewer.id, 'remove-passkey');
    });
    return REMOVED;
  });
}

/**
 * Checks that a credential belongs to the viewer.
 * @throws AppError `not_found`, `not_allowed`
 */
function requireOwn(owner: string | undefined, viewer: Viewer, what: string): void {
  if (owner === undefined) throw new AppError('not_found', `There is no such ${what}.`);
  if (owner !== viewer.id) throw new AppError('not_allowed', `This ${what} is not yours.`);
}

async function hasPassword(db: Database, userId: UserId): Promise<boolean> {
  return typeof (await findOwnPassword(db, userId))?.hash === 'string';
}

/**
 * Checks that an account of this server keeps a sign-in method: without one it could never be opened again.
 * @throws AppError `conflict`
 */
async function requireWayIn(tx: Database, userId: UserId): Promise<void> {
  const { issuer } = await getCredentialOwner(tx, userId);
  const hasWayIn =
    issuer !== OWN_ISSUER ||
    (await hasPassword(tx, userId)) ||
    (await listPasskeys(tx, userId)).length > 0 ||
    (await countLinkedIdentities(tx, userId)) > 0;
  if (!hasWayIn) throw new AppError('conflict', 'This is your only way to sign in. Set a password first.');
}

function mountDeviceRoutes(app: FastifyInstance, services: SignInServices): void {
  const { db } = services.database;
  serve(app, ownCredentialEndpoints.signOutDevice, async ({ viewer, params: { deviceId } }) => {
    requireOwn(await findDeviceOwner(db, deviceId), viewer, 'device');
    await db.transaction((tx) =>
      endByEvent(tx, 'deviceSignedOut', { userId: viewer.id, one: { otherSessions: deviceId } }),
    );
    return REMOVED;
  });

  serve(app, ownCredentialEndpoints.signOutOthers, async ({ viewer, request }) => {
    const { tokenSha256 } = await getAuthSession(services, request);
    await db.transaction((tx) => endByEvent(tx, 'signedOutElsewhere', { userId: viewer.id, tokenSha256 }));
    return REMOVED;
  });
}

function mountLinkRoutes(app: FastifyInstance, services: SignInServices): void {
  const { database, settings } = services;
  const { db } = database;
  serve(app, ownCredentialEndpoints.linkProvider, async ({ viewer, reply }) => {
    const provider = await findLinkable(services, viewer.id);
    if (!provider) throw new AppError('conflict', 'There is no outside provider to link to this account.');
    const { url, attempt } = await provider.begin('/profile/edit/sign-in', viewer.id);
    const options = { ...cookieOptions(settings.publicUrl, ATTEMPT_LASTS_MS), signed: true };
    reply.setCookie(ATTEMPT_COOKIE, JSON.stringify(attempt), options);
    return { url: url.href };
  });

  serve(app, ownCredentialEndpoints.unlinkProvider, async ({ viewer }) => {
    await db.transaction(async (tx) => {
      await endByEvent(tx, 'providerUnlinked', { userId: viewer.id });
      await requireWayIn(tx, viewer.id);
      await recordSignInChange(tx, viewer.id, 'unlink-provider');
    });
    return REMOVED;
  });
}
