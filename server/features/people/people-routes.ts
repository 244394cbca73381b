import { onlyChanged } from '#server/model/audit/only-changed.ts';
import type { Services } from '#server/model/services.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { peopleEndpoints } from '#contract/people/administration.ts';
import { isLower, mayChangeRole, type Viewer } from '#contract/people/labels.ts';
import { linkPath } from '#contract/sign-in/labels.ts';
import { deleteAccount, deleteAccountFiles } from '#server/model/people/delete-people.ts';
import type { AuditEntry } from '#server/model/audit/audit-store.ts';
import { checkLeavesAnOwner } from '#server/model/people/role-store.ts';
import { findRole } from '#server/model/people/roles.ts';
import {
  type ClubSettings,
  findClubSettings,
  saveClubSettings,
} from '#server/model/club/club-settings-store.ts';
import { findOwnPassword } from '#server/model/people/credential-store.ts';
import { endByEvent } from '#server/model/people/ending-store.ts';
import {
  findInvitation,
  insertOneTimeToken,
  listInvitations,
  listLinksMadeBy,
} from '#server/model/people/one-time-token-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { requireMailServer } from '#server/model/mail/mail-server.ts';
import { addMail } from '#server/model/mail/send-mail.ts';
import { findRoleClaim, listPeople, setSuspended } from '#server/model/people/people-store.ts';
import { holdAuthSession } from '#server/model/people/recent-sign-in.ts';
import { DAY_MS } from '#engine/durations.ts';

/** Serves the list of people and its changes: administrators invite them, suspend them, and make links to set a password. */
export function mountPeopleRoutes(app: FastifyInstance, services: Services): void {
  for (const mount of [mountInvite, mountResetLink, mountInvitations, mountList, mountRemoval, mountClub])
    mount(app, services);
}

type MadeLink = { kind: 'invitation' | 'reset'; token: string; lastsMs: number };

function describeLink({ settings }: Services, { kind, token, lastsMs }: MadeLink) {
  return {
    url: settings.publicUrl + linkPath(kind, token),
    expiresAt: new Date(Date.now() + lastsMs).toISOString(),
  };
}

/**
 * Holds the auth session and the role of a person who makes a link: a demotion or suspension at that moment either waits and
 * ends the link, or is seen here.
 * @throws AppError `not_signed_in`, `not_allowed`
 */
async function holdMaker(
  tx: Database,
  services: Services,
  { viewer, request }: { viewer: Viewer; request: FastifyRequest },
): Promise<void> {
  await holdAuthSession(tx, services, request);
  const claim = await findRoleClaim(tx, viewer.id);
  if (!claim || isLower(findRole(claim, services.adminEmails), viewer.role))
    throw new AppError('not_allowed', 'Your role has just changed. Load the page again.');
}

function mountInvite(app: FastifyInstance, services: Services): void {
  const { db } = services.database;
  const invite = async ({ viewer, body, audit, request }: Call<typeof peopleEndpoints.invite>) => {
    const { role, uses, days, email } = body;
    if (email !== undefined) await requireMailServer(db, services.settings);
    const lastsMs = days * DAY_MS;
    const invitation = {
      purpose: 'invitation' as const,
      role,
      usesLeft: email === undefined ? uses : 1,
      email: email ?? null,
      createdBy: viewer.id,
      lastsMs,
    };
    return await db.transaction(async (tx) => {
      await holdMaker(tx, services, { viewer, request });
      const { token, id } = await insertOneTimeToken(tx, invitation);
      if (email !== undefined)
        await addMail(tx, { kind: 'invitation', email, role, days, inviterId: viewer.id });
      await audit(tx, {
        subject: id,
        counts: { uses, days },
        changes: { role: [null, role] },
      });
      return describeLink(services, { kind: 'invitation', token, lastsMs });
    });
  };
  serve(app, peopleEndpoints.invite, invite, ({ viewer, body: { role } }) => {
    if (!mayChangeRole(viewer, 'member', role))
      throw new AppError('not_allowed', 'Only owners invite administrators and owners.');
  });
}

function mountResetLink(app: FastifyInstance, services: Services): void {
  const { db } = services.database;
  const makeResetLink = async ({
    viewer,
    params: { userId },
    audit,
    request,
  }: Call<typeof peopleEndpoints.makeResetLink>) => {
    if (!(await findOwnPassword(db, userId)))
      throw new AppError('conflict', 'This account has no password here, so there is none to set.');
    return await db.transaction(async (tx) => {
      await holdMaker(tx, services, { viewer, request });
      const reset = { purpose: 'reset' as const, userId, createdBy: viewer.id, lastsMs: DAY_MS };
      const { token } = await insertOneTimeToken(tx, reset);
      await audit(tx, { subject: userId });
      return describeLink(services, { kind: 'reset', token, lastsMs: DAY_MS });
    });
  };
  serve(app, peopleEndpoints.makeResetLink, makeResetLink, requireMayManage(services));
}

function mountList(app: FastifyInstance, services: Services): void {
  const { database, adminEmails } = services;
  const { db } = database;
  serve(app, peopleEndpoints.list, async ({ query }) => await listPeople(db, query, adminEmails));

  serve(app, peopleEndpoints.madeLinks, async ({ params: { userId } }) => {
    found(await findRoleClaim(db, userId), peopleEndpoints.madeLinks);
    const links = await listLinksMadeBy(db, userId);
    return { links: links.map((link) => ({ ...link, expiresAt: link.expiresAt.toISOString() })) };
  });

  serve(
    app,
    peopleEndpoints.suspend,
    async ({ viewer, params: { userId }, body: { isSuspended }, audit }) => {
      if (userId === viewer.id) throw new AppError('conflict', 'You cannot suspend yourself.');
      await db.transaction(async (tx) => {
        if (isSuspended) await checkLeavesAnOwner(tx, userId);
        await setSuspended(tx, userId, isSuspended);
        await audit(tx, { action: isSuspended ? 'suspend-user' : 'restore-user', subject: userId });
      });
      return { userId, isSuspended };
    },
    requireMayManage(services),
  );
}

function mountInvitations(app: FastifyInstance, { database: { db } }: Services): void {
  serve(app, peopleEndpoints.invitations, async () => {
    const invitations = await listInvitations(db);
    return {
      invitations: invitations.map(({ role, expiresAt, ...rest }) => ({
        ...rest,
        role: role ?? ('member' as const),
        expiresAt: expiresAt.toISOString(),
      })),
    };
  });

  serve(app, peopleEndpoints.withdrawInvitation, async ({ viewer, params: { invitationId }, audit }) => {
    await db.transaction(async (tx) => {
      const invitation = await findInvitation(tx, invitationId);
      if (!invitation) throw new AppError('not_found', 'There is no such invitation any more.');
      if (!mayChangeRole(viewer, 'member', invitation.role))
        throw new AppError('not_allowed', 'Only owners withdraw invitations of administrators and owners.');
      await endByEvent(tx, 'invitationWithdrawn', { userId: viewer.id, one: { linksMade: invitationId } });
      await audit(tx, { subject: invitationId });
    });
    return { removed: true as const };
  });
}

function mountRemoval(app: FastifyInstance, services: Services): void {
  const { database, storage } = services;
  const { db } = database;
  const remove = async ({
    viewer,
    params: { userId },
    request,
    audit,
  }: Call<typeof peopleEndpoints.deletePerson>) => {
    if (userId === viewer.id)
      throw new AppError('conflict', 'To remove your own account, use the page of your profile.');
    const files = await deleteAccount(db, userId, (tx) => audit(tx, { subject: userId }));
    await deleteAccountFiles(storage, { userId, files, log: request.log });
    return { removed: true as const };
  };
  serve(app, peopleEndpoints.deletePerson, remove, requireMayManage(services));
}

function mountClub(app: FastifyInstance, { database: { db }, settings }: Services): void {
  const describeClub = async () => ({
    club: (await findClubSettings(db)) ?? null,
    fixedRegistration: settings.registration,
  });
  serve(app, peopleEndpoints.club, describeClub);

  serve(app, peopleEndpoints.changeClub, async ({ body, audit }) => {
    await db.transaction(async (tx) => {
      const before = await findClubSettings(tx);
      await saveClubSettings(tx, body);
      await audit(tx, { changes: onlyChanged(describeClubChange(before, body)) });
    });
    return await describeClub();
  });
}

type GivenClub = Call<typeof peopleEndpoints.changeClub>['body'];

function describeClubChange(
  before: ClubSettings | undefined,
  { name, timeZone, registration, hasSimulatorBoards, hasSamples }: GivenClub,
) {
  return {
    name: [before?.name ?? null, name],
    timeZone: [before?.timeZone ?? null, timeZone],
    registration: [before?.registration ?? null, registration],
    ...describeSwitchChange('simulatorBoards', before?.hasSimulatorBoards ?? false, hasSimulatorBoards),
    ...describeSwitchChange('samples', before?.hasSamples ?? true, hasSamples),
  } satisfies AuditEntry['changes'];
}

function describeSwitchChange(name: string, before: boolean, after: boolean | undefined) {
  const change: [string, string] | null =
    after === undefined ? null : [describeSwitch(before), describeSwitch(after)];
  return change && { [name]: change };
}

function describeSwitch(isOn: boolean): string {
  return isOn ? 'on' : 'off';
}

type CallAbout = { viewer: Viewer; params: { userId: UserId } };

/**
 * Returns a check that administrators act on members and moderators only, and that only owners act on administrators and
 * owners. It throws an AppError.
 */
function requireMayManage({ database: { db }, adminEmails }: Services) {
  return async ({ viewer, params: { userId } }: CallAbout): Promise<void> => {
    const claim = await findRoleClaim(db, userId);
    if (!claim) throw new AppError('not_found', 'There is no such driver.');
    const role = findRole(claim, adminEmails);
    if (!mayChangeRole(viewer, role, role))
      throw new AppError('not_allowed', 'Only owners do this to administrators and owners.');
  };
}
