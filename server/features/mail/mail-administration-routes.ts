import type { FastifyInstance } from 'fastify';
import { mailAdministrationEndpoints, setUpMailEndpoints } from '#contract/mail.ts';
import type { Viewer } from '#contract/permissions.ts';
import { findLink } from '#server/features/sign-in/accept-links.ts';
import { type CredentialParts, requireOwnAccounts } from '#server/features/sign-in/sign-in-services.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { WriteAudit } from '#server/kernel/http/endpoint-hooks.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { explainMailFailure } from '#server/model/mail/explain-mail-failure.ts';
import {
  describeMail,
  type MailServer,
  forgetMailSettings,
  readTypedServer,
  requireMailServer,
  saveMailSettings,
} from '#server/model/mail/mail-server.ts';
import { findRecipient } from '#server/model/mail/mail-store.ts';
import { writeExample, writeTest } from '#server/model/mail/mails.ts';
import { renderMail } from '#server/model/mail/render-mail.ts';
import { findSite } from '#server/model/mail/send-mail.ts';
import { sendMail } from '#server/model/mail/transport.ts';

// Styles of a mail are in its head; nothing else of it may run or be fetched, and only this site shows it in a frame.
const PREVIEW_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** What administrators see of mail, and the mail server as owners enter it. */
export function mountMailAdministration(app: FastifyInstance, parts: CredentialParts): void {
  const { settings } = parts;
  const { db } = parts.database;

  serve(app, mailAdministrationEndpoints.status, () => describeMail(db, settings));

  serve(app, mailAdministrationEndpoints.preview, async ({ params: { kind }, query: { part }, reply }) => {
    const site = await findSite(db, settings.publicUrl);
    const { text, html } = renderMail(writeExample(kind, site), site.name);
    reply.removeHeader('x-frame-options');
    reply.header('content-security-policy', PREVIEW_POLICY);
    return reply
      .type(part === 'html' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8')
      .send(part === 'html' ? html : text);
  });

  serve(app, mailAdministrationEndpoints.save, async ({ viewer, body }) => {
    requireOwner(viewer);
    await db.transaction((tx) => saveMailSettings(tx, settings, { typed: body, userId: viewer.id }));
    return await describeMail(db, settings);
  });

  serve(app, mailAdministrationEndpoints.remove, async ({ viewer }) => {
    requireOwner(viewer);
    await db.transaction((tx) => forgetMailSettings(tx, settings, viewer.id));
    return await describeMail(db, settings);
  });

  mountTests(app, parts);
}

/**
 * The mail server sees links for a new password of everybody, owners among them: who could choose it could become an owner.
 * @throws AppError `not_allowed`
 */
function requireOwner({ role }: Viewer): void {
  if (role !== 'owner') throw new AppError('not_allowed', 'Only owners change how mail is sent.');
}

function mountTests(app: FastifyInstance, parts: CredentialParts): void {
  const { settings } = parts;
  const { db } = parts.database;
  serve(app, mailAdministrationEndpoints.sendTest, async ({ viewer, audit }) => {
    const server = await requireMailServer(db, settings);
    return await sendTest(parts, { server, to: await getAddress(parts, viewer), audit });
  });

  serve(app, mailAdministrationEndpoints.testSettings, async ({ viewer, body, audit }) => {
    requireOwner(viewer);
    const server = await readTypedServer(db, settings, body);
    return await sendTest(parts, { server, to: await getAddress(parts, viewer), audit });
  });

  serve(app, setUpMailEndpoints.testAtSetUp, async ({ body: { token, to, mail }, audit }) => {
    requireOwnAccounts(parts);
    await findLink(db, 'set-up', token);
    const server = await readTypedServer(db, settings, mail);
    return await sendTest(parts, { server, to, audit });
  });
}

async function getAddress({ database }: CredentialParts, viewer: Viewer): Promise<string> {
  const email = (await findRecipient(database.db, viewer.id))?.email;
  if (email) return email;
  throw new AppError('conflict', 'Your account has no e-mail address.');
}

type TestMail = { server: MailServer; to: string; audit: WriteAudit };

/** @throws AppError `unavailable` with what the mail server said */
async function sendTest(
  { database: { db }, settings: { publicUrl } }: CredentialParts,
  { server, to, audit }: TestMail,
): Promise<{ sentTo: string }> {
  const site = await findSite(db, publicUrl);
  const recordResult = (result: string): Promise<void> =>
    audit(db, { changes: { server: [null, server.name], result: [null, result] } });
  try {
    await sendMail(server, writeTest(site), { to, siteName: site.name });
  } catch (error) {
    await recordResult('refused');
    throw new AppError('unavailable', explainMailFailure(error, server.name), { cause: error });
  }
  await recordResult('taken');
  return { sentTo: to };
}
