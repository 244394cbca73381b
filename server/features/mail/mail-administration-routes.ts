import type { FastifyInstance } from 'fastify';
import { mailAdministrationEndpoints } from '#contract/mail/schemas.ts';
import type { Viewer } from '#contract/people/labels.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import {
  describeMail,
  deleteMailSettings,
  readTypedServer,
  requireMailServer,
  saveMailSettings,
} from '#server/model/mail/mail-server.ts';
import { findRecipient } from '#server/model/mail/mail-store.ts';
import { writeExample } from '#server/model/mail/mails.ts';
import { renderMail } from '#server/model/mail/render-mail.ts';
import { findSite } from '#server/model/mail/send-mail.ts';
import { sendTestMail } from '#server/model/mail/send-test-mail.ts';
import type { Services } from '#server/model/services.ts';

// The head of a mail has its styles; nothing else of it may run or be fetched, and only this site shows it in a frame.
const PREVIEW_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export function mountMailAdministrationRoutes(app: FastifyInstance, services: Services): void {
  const { settings } = services;
  const { db } = services.database;

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
    await db.transaction((tx) => saveMailSettings(tx, settings, { typed: body, userId: viewer.id }));
    return await describeMail(db, settings);
  });

  serve(app, mailAdministrationEndpoints.remove, async ({ viewer }) => {
    await db.transaction((tx) => deleteMailSettings(tx, settings, viewer.id));
    return await describeMail(db, settings);
  });

  mountTests(app, services);
}

function mountTests(app: FastifyInstance, services: Services): void {
  const { settings } = services;
  const { db } = services.database;
  serve(app, mailAdministrationEndpoints.sendTest, async ({ viewer, audit }) => {
    const server = await requireMailServer(db, settings);
    return await sendTestMail(services, { server, to: await getAddress(services, viewer), audit });
  });

  serve(app, mailAdministrationEndpoints.testSettings, async ({ viewer, body, audit }) => {
    const server = await readTypedServer(db, settings, body);
    return await sendTestMail(services, { server, to: await getAddress(services, viewer), audit });
  });
}

async function getAddress({ database }: Services, viewer: Viewer): Promise<string> {
  const email = (await findRecipient(database.db, viewer.id))?.email;
  if (email) return email;
  throw new AppError('conflict', 'Your account has no e-mail address.');
}
