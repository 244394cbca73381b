import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { noticeIdSchema, type UserId, userIdSchema } from '#contract/ids.ts';
import { roleSchema } from '#contract/people/roles.ts';
import { mailSignInChangeJob } from '#server/model/people/record-sign-in-change.ts';
import { findSiteName } from '#server/model/club/club-settings-store.ts';
import { lockUsers } from '#server/model/people/ending-store.ts';
import { isMakerStillAllowed } from '#server/model/people/link-rules.ts';
import { insertOneTimeToken } from '#server/model/people/one-time-token-store.ts';
import type { Database, OpenDatabase } from '#server/kernel/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '#server/kernel/jobs/job.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { countCall } from '#server/kernel/rate-limits/call-count-store.ts';
import { describeNotice } from '#server/model/notices/describe-notice.ts';
import { listNotices } from '#server/model/notices/notice-store.ts';
import { findMailState, type MailEnvironment } from './mail-server.ts';
import { findAccountByEmail, findRecipient } from './mail-store.ts';
import {
  type Site,
  writeConfirmation,
  writeDigest,
  writeInvitation,
  writeReset,
  writeSignInChanged,
  writeSignInLink,
} from './mails.ts';
import type { Mail } from './render-mail.ts';
import { signUnsubscribe } from './sign-unsubscribe.ts';
import { isRefusedForGood, sendMail } from './transport.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations.ts';

// The job holds no secret of a link: the link is made when the mail is sent, and stored as a hash only.
const dueMailSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('invitation'),
    email: z.string(),
    role: roleSchema,
    days: z.int(),
    inviterId: userIdSchema,
  }),
  z.object({ kind: z.literal('reset'), email: z.string() }),
  z.object({ kind: z.literal('sign-in'), email: z.string() }),
  z.object({ kind: z.literal('confirmation'), userId: userIdSchema }),
  z.object({
    kind: z.literal('digest'),
    userId: userIdSchema,
    day: z.string(),
    afterNoticeId: noticeIdSchema,
    untilNoticeId: noticeIdSchema,
  }),
]);

export type DueMail = z.infer<typeof dueMailSchema>;

const sendMailJob = defineJob({ name: 'send-mail', payload: dueMailSchema });

/** Adds a job that sends a mail after the transaction, and retries for ten hours while the mail server is down. */
export async function addMail(tx: Database, mail: DueMail): Promise<void> {
  await addJob(tx, sendMailJob, mail);
}

const RESET_LASTS_MS = 60 * MINUTE_MS;
const SIGN_IN_LASTS_MS = 15 * MINUTE_MS;
const CONFIRMATION_LASTS_MS = 7 * DAY_MS;
const CONFIRMATIONS_PER_DAY = 3;

/** Mails a user who switched Email Updates on a link that confirms their address, unless it is confirmed. */
export async function addConfirmation({ db, pool }: OpenDatabase, userId: UserId): Promise<void> {
  const recipient = await findRecipient(db, userId);
  if (!recipient?.email || recipient.emailVerified) return;
  const asked = await countCall(pool, `confirmations of ${userId}`, DAY_MS);
  if (asked.calls <= CONFIRMATIONS_PER_DAY) await addMail(db, { kind: 'confirmation', userId });
}

export type MailDeps = Pick<OpenDatabase, 'db' | 'pool'> & {
  log: FastifyBaseLogger;
  settings: MailEnvironment & { publicUrl: string; adminEmails: readonly string[] };
};

export async function findSite(db: Database, publicUrl: string): Promise<Site> {
  return { publicUrl, name: await findSiteName(db) };
}

export function sendMails(deps: MailDeps): JobHandler {
  return handleJob(sendMailJob, async (due) => {
    await send(deps, due.kind, (site) => write(deps, site, due));
  });
}

// No user changes more. The limit protects the owner of an address with which another person registered.
const CHANGES_PER_HOUR = 10;

export function mailSignInChanges(deps: MailDeps): JobHandler {
  return handleJob(mailSignInChangeJob, async ({ userId, change }) => {
    await send(deps, 'sign-in-changed', async (site) => {
      const recipient = await findRecipient(deps.db, userId);
      if (!recipient?.email) return null;
      const counted = await countCall(deps.pool, `sign-in changes of ${userId}`, HOUR_MS);
      if (counted.calls > CHANGES_PER_HOUR) return null;
      return { to: recipient.email, mail: writeSignInChanged(site, change) };
    });
  });
}

async function send(
  { db, log, settings }: MailDeps,
  kind: string,
  writeMail: (site: Site) => Promise<Written | null>,
): Promise<void> {
  const mail = await findMailState(db, settings);
  if (mail.server === null) {
    // The job is retried until an owner has entered the password.
    if (mail.mayComeBack) throw new Error(mail.problem);
    // Changes of sign-ins add their mails on servers without mail, too.
    if (kind !== 'sign-in-changed') log.warn({ kind }, 'A mail was not sent: no mail server is set');
    return;
  }
  const site = await findSite(db, settings.publicUrl);
  const written = await writeMail(site);
  if (written === null) return;
  try {
    await sendMail(mail.server, written.mail, { ...written, siteName: site.name });
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    log.warn({ err: error, kind }, 'The mail server refused a mail for good');
  }
}

type Written = { to: string; mail: Mail; messageId?: string };

/** Writes a mail; null where its reason no longer exists. */
async function write({ db, settings }: MailDeps, site: Site, due: DueMail): Promise<Written | null> {
  switch (due.kind) {
    case 'invitation':
      return await inviteByMail({ db, adminEmails: new Set(settings.adminEmails) }, site, due);
    case 'confirmation':
      return await askForConfirmation(db, site, due.userId);
    case 'digest':
      return await summarize(db, { site, secret: settings.cookieSecret }, due);
    default: {
      const account = await findAccountByEmail(db, due.email);
      if (!account) return null;
      const isReset = due.kind === 'reset';
      const { token } = await insertOneTimeToken(db, {
        purpose: due.kind,
        userId: account.userId,
        email: due.email,
        lastsMs: isReset ? RESET_LASTS_MS : SIGN_IN_LASTS_MS,
      });
      return {
        to: due.email,
        mail: isReset ? writeReset(site, { token }) : writeSignInLink(site, { token }),
      };
    }
  }
}

async function inviteByMail(
  { db, adminEmails }: { db: Database; adminEmails: ReadonlySet<string> },
  site: Site,
  { email, role, days, inviterId }: Extract<DueMail, { kind: 'invitation' }>,
): Promise<Written | null> {
  const inviter = await findRecipient(db, inviterId);
  const invitation = { purpose: 'invitation', role, createdBy: inviterId, userId: null } as const;
  if (!inviter) return null;
  const made = await db.transaction(async (tx) => {
    // A demotion or suspension of the inviter at this moment waits and ends the invitation, or is seen here.
    await lockUsers(tx, [inviterId]);
    // The inviter may have lost the role since the job was added.
    if (!(await isMakerStillAllowed(tx, invitation, adminEmails))) return null;
    const lastsMs = days * DAY_MS;
    return await insertOneTimeToken(tx, { ...invitation, email, provesEmail: true, lastsMs });
  });
  if (made === null) return null;
  const { token } = made;
  const mail = writeInvitation(site, { inviter: inviter.name ?? 'An administrator', token, days });
  return { to: email, mail };
}

async function askForConfirmation(db: Database, site: Site, userId: UserId): Promise<Written | null> {
  const recipient = await findRecipient(db, userId);
  if (!recipient?.email || recipient.emailVerified || !recipient.emailUpdates) return null;
  const email = recipient.email.toLowerCase();
  const { token } = await insertOneTimeToken(db, {
    purpose: 'confirmation',
    userId,
    email,
    lastsMs: CONFIRMATION_LASTS_MS,
  });
  return { to: email, mail: writeConfirmation(site, { token }) };
}

const NOTICES_MAX = 30;

async function summarize(
  db: Database,
  { site, secret }: { site: Site; secret: string },
  { userId, day, afterNoticeId, untilNoticeId }: Extract<DueMail, { kind: 'digest' }>,
): Promise<Written | null> {
  const recipient = await findRecipient(db, userId);
  // The user may have switched the mails off since the job was added.
  if (!recipient?.email || !recipient.emailVerified || !recipient.emailUpdates) return null;
  const range = { afterId: afterNoticeId, untilId: untilNoticeId, limit: NOTICES_MAX, forMail: true };
  const notices = (await listNotices(db, userId, range)).map(describeNotice);
  if (notices.length === 0) return null;
  const unsubscribeUrl = `${site.publicUrl}/api/mail/unsubscribe?token=${signUnsubscribe(secret, userId)}`;
  return {
    to: recipient.email,
    mail: writeDigest(site, { notices, unsubscribeUrl }),
    // A killed server may send a digest twice; a mailbox shows mails with the same id once.
    messageId: `<digest.${day}.${userId}@${new URL(site.publicUrl).hostname}>`,
  };
}
