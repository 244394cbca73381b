import type { FastifyInstance } from 'fastify';
import { peopleEndpoints } from '#contract/people.ts';
import { mayChangeRole, type Viewer } from '#contract/permissions.ts';
import { linkPath } from '#contract/registration.ts';
import { insertAuditEntry } from '#server/audit/audit-store.ts';
import { checkLeavesAnOwner } from '#server/auth/role-store.ts';
import { findRole } from '#server/auth/roles.ts';
import { findOwnPassword } from '#server/credentials/credential-store.ts';
import { insertOneTimeToken } from '#server/credentials/one-time-token-store.ts';
import type { MailSettings } from '#server/kernel/config.ts';
import type { Database, OpenDatabase } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { addMail, requireMail } from '#server/mail/send-mail.ts';
import { findRoleClaim, listPeople, setSuspended } from './people-store.ts';

type PeopleParts = {
  database: OpenDatabase;
  settings: { publicUrl: string; mail: MailSettings | null };
  adminEmails: ReadonlySet<string>;
};

const DAY_MS = 24 * 60 * 60_000;
const LIMIT = { callsPerMinute: 60 };

/** People and how they come in: administrators invite them, suspend them, and hand out links to set a password. */
export function mountPeopleRoutes(app: FastifyInstance, parts: PeopleParts): void {
  const { database, settings, adminEmails } = parts;
  const { db } = database;
  const describeLink = (kind: 'invitation' | 'reset', token: string, lastsMs: number) => ({
    url: settings.publicUrl + linkPath(kind, token),
    expiresAt: new Date(Date.now() + lastsMs).toISOString(),
  });

  serve(app, peopleEndpoints.list, async ({ query }) => await listPeople(db, query, adminEmails));

  serve(
    app,
    peopleEndpoints.invite,
    async ({ viewer, body: { role, uses, days, email } }) => {
      if (!mayChangeRole(viewer, 'member', role))
        throw new AppError('not_allowed', 'Only owners invite administrators and owners.');
      if (email !== undefined) requireMail(settings.mail);
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
        await insertAuditEntry(tx, {
          userId: viewer.id,
          action: 'invite',
          subject: id,
          counts: { uses, days },
          changes: { role: [null, role] },
        });
        return describeLink('invitation', token, lastsMs);
      });
    },
    LIMIT,
  );

  serve(
    app,
    peopleEndpoints.makeResetLink,
    async ({ viewer, params: { userId } }) => {
      await requireMayManage(db, viewer, userId, adminEmails);
      if (!(await findOwnPassword(db, userId)))
        throw new AppError('conflict', 'This account has no password here, so there is none to set.');
      return await db.transaction(async (tx) => {
        const reset = { purpose: 'reset' as const, userId, createdBy: viewer.id, lastsMs: DAY_MS };
        const { token } = await insertOneTimeToken(tx, reset);
        const entry = { userId: viewer.id, action: 'make-reset-link' as const, subject: userId, counts: {} };
        await insertAuditEntry(tx, entry);
        return describeLink('reset', token, DAY_MS);
      });
    },
    LIMIT,
  );

  mountSuspension(app, parts);
}

function mountSuspension(app: FastifyInstance, { database: { db }, adminEmails }: PeopleParts): void {
  serve(app, peopleEndpoints.suspend, async ({ viewer, params: { userId }, body: { isSuspended } }) => {
    await requireMayManage(db, viewer, userId, adminEmails);
    if (userId === viewer.id) throw new AppError('conflict', 'You cannot suspend yourself.');
    await db.transaction(async (tx) => {
      if (isSuspended) await checkLeavesAnOwner(tx, userId);
      await setSuspended(tx, userId, isSuspended);
      const action = isSuspended ? ('suspend-user' as const) : ('restore-user' as const);
      await insertAuditEntry(tx, { userId: viewer.id, action, subject: userId, counts: {} });
    });
    return { userId, isSuspended };
  });
}

/** Administrators act on members and moderators; only owners act on administrators and owners. @throws AppError */
async function requireMayManage(
  db: Database,
  viewer: Viewer,
  userId: string,
  adminEmails: ReadonlySet<string>,
): Promise<void> {
  const claim = await findRoleClaim(db, userId);
  if (!claim) throw new AppError('not_found', 'There is no such driver.');
  const role = findRole(claim, adminEmails);
  if (!mayChangeRole(viewer, role, role))
    throw new AppError('not_allowed', 'Only owners do this to administrators and owners.');
}
