import type { FastifyInstance, FastifyReply } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { mailEndpoints } from '#contract/mail.ts';
import { hashToken } from '#server/model/people/auth-cookie.ts';
import { confirmByLink } from '#server/features/sign-in/accept-links.ts';
import { type CredentialParts, requireOwnAccounts } from '#server/features/sign-in/sign-in-services.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { countCall } from '#server/kernel/rate-limits/call-count-store.ts';
import { requireMailServer } from '#server/model/mail/mail-server.ts';
import { switchEmailUpdatesOff } from '#server/model/people/user-store.ts';
import { addMail } from '#server/model/mail/send-mail.ts';
import { readUnsubscribe } from '#server/model/mail/sign-unsubscribe.ts';
import { brokenLinkPage, unsubscribedPage, unsubscribePage } from './unsubscribe-page.ts';

const HOUR_MS = 60 * 60_000;
const MAILS_PER_ADDRESS_AND_HOUR = 5;

/** Links by mail, and unsubscribing without a sign-in. */
export async function mountMailRoutes(app: FastifyInstance, parts: CredentialParts): Promise<void> {
  mountLinkMails(app, parts);
  await mountUnsubscribe(app, parts);
}

function mountLinkMails(app: FastifyInstance, parts: CredentialParts): void {
  const { database, settings } = parts;

  // The job that sends looks for the account, so that known and unknown addresses cost the same time here.
  async function addLinkMail(kind: 'reset' | 'sign-in', email: string): Promise<{ sent: true }> {
    requireOwnAccounts(parts);
    await requireMailServer(database.db, settings);
    const asked = await countCall(database.pool, `mails to ${hashToken(email)}`, HOUR_MS);
    // Over the limit the answer stays the same: it would say that somebody else has asked for mails.
    if (asked.calls <= MAILS_PER_ADDRESS_AND_HOUR) await addMail(database.db, { kind, email });
    return { sent: true };
  }

  serve(app, mailEndpoints.sendReset, ({ body: { email } }) => addLinkMail('reset', email));
  serve(app, mailEndpoints.sendSignInLink, ({ body: { email } }) => addLinkMail('sign-in', email));

  serve(app, mailEndpoints.confirm, async ({ body: { token } }) => {
    await database.db.transaction((tx) => confirmByLink(tx, token));
    return { confirmed: true as const };
  });
}

const sendPage = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);

async function mountUnsubscribe(
  app: FastifyInstance,
  { database, settings }: CredentialParts,
): Promise<void> {
  const readToken = (token: string): UserId => {
    const userId = readUnsubscribe(settings.cookieSecret, token);
    if (userId !== null) return userId;
    throw new AppError('invalid_input', 'This is not a whole link. Open the one in the mail again.');
  };

  await app.register(async (scope) => {
    // What a mail program or the button of the page sends along says nothing that the address does not.
    scope.addContentTypeParser('*', (_request, body, done) => {
      body.resume();
      body.once('end', () => done(null));
      body.once('error', done);
    });

    serve(scope, mailEndpoints.unsubscribePage, async ({ query: { token }, reply }) =>
      readUnsubscribe(settings.cookieSecret, token) === null
        ? sendPage(reply.code(400), brokenLinkPage())
        : sendPage(reply, unsubscribePage(token)),
    );

    serve(scope, mailEndpoints.unsubscribe, async ({ query: { token }, reply }) => {
      await switchEmailUpdatesOff(database.db, readToken(token));
      return sendPage(reply, unsubscribedPage());
    });
  });
}
