import { onlyChanged } from '#server/model/audit/only-changed.ts';
import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { peopleEndpoints } from '#contract/people/administration.ts';
import { mayChangeRole, type Viewer } from '#contract/people/labels.ts';
import { linkPath } from '#contract/sign-in/labels.ts';
import { deleteAccount, deleteAccountFiles } from '#server/model/people/delete-people.ts';
import type { AuditEntry } from '#server/model/audit/audit-store.ts';
import { checkLeavesAnOwner } from '#server/model/people/role-store.ts';
import { findRole } from '#server/model/people/roles.ts';
import { findClubSettings, saveClubSettings } from '#server/model/club/club-settings-store.ts';
import { findOwnPassword } from '#server/model/people/credential-store.ts';
import {
  insertOneTimeToken,
  listInvitations,
  removeInvitation,
} from '#server/model/people/one-time-token-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { requireMailServer } from '#server/model/mail/mail-server.ts';
import { addMail } from '#server/model/mail/send-mail.ts';
import { findRoleClaim, listPeople, setSuspended } from '#server/model/people/people-store.ts';
import { DAY_MS } from '#server/kernel/time.ts';

/** Serves the list of people and its changes: administrators invite them, suspend them, and make links to set a password. */
export function mountPeopleRoutes(app: FastifyInstance, services: Services): void {
  const { settings, adminEmails } = services;
  const { db } = services.database;
  const describeLink = (kind: 'invitation' | 'reset', token: string, lastsMs: number) => ({
    url: settings.publicUrl + linkPath(kind, token),
    expiresAt: new Date(Date.now() + lastsMs).toISOString(),
  });

  serve(app, peopleEndpoints.invite, async ({ viewer, body: { role, uses, days, email }, audit }) => {
    if (!mayChangeRole(viewer, 'member', role))
      throw new AppError('not_allowed', 'Only owners invite administrators and owners.');
    if (email !== undefined) await requireMailServer(db, settings);
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
      const { token, id } = await insertOneTimeToken(tx, invitation);
      if (email !== undefined)
        await addMail(tx, { kind: 'invitation', email, role, days, inviterId: viewer.id });
      await audit(tx, {
        subject: id,
        counts: { uses, days },
        changes: { role: [null, role] },
      });
      return describeLink('invitation', token, lastsMs);
    });
  });

  serve(app, peopleEndpoints.makeResetLink, async ({ viewer, params: { userId }, audit }) => {
    await requireMayManage(db, viewer, userId, adminEmails);
    if (!(await findOwnPassword(db, userId)))
      throw new AppError('conflict', 'This account has no password here, so there is none to set.');
    return await db.transaction(async (tx) => {
      const reset = { purpose: 'reset' as const, userId, createdBy: viewer.id, lastsMs: DAY_MS };
      const { token } = await insertOneTimeToken(tx, reset);
      await audit(tx, { subject: userId });
      return describeLink('reset', token, DAY_MS);
    });
  });

  for (const mount of [mountInvitations, mountList, mountRemoval, mountClub]) mount(app, services);
}

function mountList(app: FastifyInstance, { database: { db }, adminEmails }: Services): void {
  serve(app, peopleEndpoints.list, async ({ query }) => await listPeople(db, query, adminEmails));

  serve(
    app,
    peopleEndpoints.suspend,
    async ({ viewer, params: { userId }, body: { isSuspended }, audit }) => {
      await requireMayManage(db, viewer, userId, adminEmails);
      if (userId === viewer.id) throw new AppError('conflict', 'You cannot suspend yourself.');
      await db.transaction(async (tx) => {
        if (isSuspended) await checkLeavesAnOwner(tx, userId);
        await setSuspended(tx, userId, isSuspended);
        await audit(tx, { action: isSuspended ? 'suspend-user' : 'restore-user', subject: userId });
      });
      return { userId, isSuspended };
    },
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
      const invitation = await removeInvitation(tx, invitationId);
      if (!invitation) throw new AppError('not_found', 'There is no such invitation any more.');
      // The invitation still exists after a refusal: the transaction has changed nothing.
      if (!mayChangeRole(viewer, 'member', invitation.role))
        throw new AppError('not_allowed', 'Only owners withdraw invitations of administrators and owners.');
      await audit(tx, { subject: invitationId });
    });
    return { removed: true as const };
  });
}

function mountRemoval(app: FastifyInstance, { database: { db }, storage, adminEmails }: Services): void {
  serve(app, peopleEndpoints.removePerson, async ({ viewer, params: { userId }, request, audit }) => {
    await requireMayManage(db, viewer, userId, adminEmails);
    if (userId === viewer.id)
      throw new AppError('conflict', 'To remove your own account, use the page of your profile.');
    const files = await deleteAccount(db, userId, (tx) => audit(tx, { subject: userId }));
    await deleteAccountFiles(storage, { userId, files, log: request.log });
    return { removed: true as const };
  });
}

function mountClub(app: FastifyInstance, { database: { db }, settings }: Services): void {
  const describeClub = async () => ({
    club: (await findClubSettings(db)) ?? null,
    fixedRegistration: settings.registration,
  });
  serve(app, peopleEndpoints.club, describeClub);

  serve(app, peopleEndpoints.changeClub, async ({ viewer, body, audit }) => {
    if (viewer.role !== 'owner')
      throw new AppError('not_allowed', 'Only owners change what holds for the whole site.');
    await db.transaction(async (tx) => {
      const before = await findClubSettings(tx);
      await saveClubSettings(tx, body);
      const changes = {
        name: [before?.name ?? null, body.name],
        timeZone: [before?.timeZone ?? null, body.timeZone],
        registration: [before?.registration ?? null, body.registration],
      } satisfies AuditEntry['changes'];
      await audit(tx, { changes: onlyChanged(changes) });
    });
    return await describeClub();
  });
}

/**
 * Checks that administrators act on members and moderators only, and that only owners act on administrators and owners.
 * @throws AppError
 */
async function requireMayManage(
  db: Database,
  viewer: Viewer,
  userId: UserId,
  adminEmails: ReadonlySet<string>,
): Promise<void> {
  const claim = await findRoleClaim(db, userId);
  if (!claim) throw new AppError('not_found', 'There is no such driver.');
  const role = findRole(claim, adminEmails);
  if (!mayChangeRole(viewer, role, role))
    throw new AppError('not_allowed', 'Only owners do this to administrators and owners.');
}
