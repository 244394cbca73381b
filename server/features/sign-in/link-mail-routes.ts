import type { FastifyInstance } from 'fastify';
import { mailEndpoints, setUpMailEndpoints } from '#contract/mail/schemas.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { countCall } from '#server/kernel/rate-limits/call-count-store.ts';
import { readTypedServer, requireMailServer } from '#server/model/mail/mail-server.ts';
import { addMail } from '#server/model/mail/send-mail.ts';
import { sendTestMail } from '#server/model/mail/send-test-mail.ts';
import { hashToken } from '#server/model/people/auth-cookie.ts';
import type { Services } from '#server/model/services.ts';
import { findLink } from './accept-links.ts';
import { requireOwnAccounts } from './own-accounts.ts';
import { HOUR_MS } from '#engine/durations.ts';

const MAILS_PER_ADDRESS_AND_HOUR = 5;

/** Serves the calls that mail links for a new password and to sign in. */
export function mountLinkMailRoutes(app: FastifyInstance, services: Services): void {
  const { database, settings, adminEmails } = services;

  // Adds a job that looks up the account when it sends, so that known and unknown addresses take the same time here.
  async function addLinkMail(kind: 'reset' | 'sign-in', email: string): Promise<{ sent: true }> {
    requireOwnAccounts(settings);
    await requireMailServer(database.db, settings);
    const asked = await countCall(database.pool, `mails to ${hashToken(email)}`, HOUR_MS);
    // Over the limit the answer stays the same: another one would reveal that others have asked for mails.
    if (asked.calls <= MAILS_PER_ADDRESS_AND_HOUR) await addMail(database.db, { kind, email });
    return { sent: true };
  }

  serve(app, mailEndpoints.sendReset, ({ body: { email } }) => addLinkMail('reset', email));
  serve(app, mailEndpoints.sendSignInLink, ({ body: { email } }) => addLinkMail('sign-in', email));

  serve(app, setUpMailEndpoints.testAtSetUp, async ({ body: { token, to, mail }, audit }) => {
    requireOwnAccounts(settings);
    await findLink({ db: database.db, adminEmails }, 'set-up', token);
    const server = await readTypedServer(database.db, settings, mail);
    return await sendTestMail(services, { server, to, audit });
  });
}
