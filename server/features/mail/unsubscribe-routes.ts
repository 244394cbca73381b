import type { FastifyInstance, FastifyReply } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { mailEndpoints } from '#contract/mail/schemas.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { switchEmailUpdatesOff } from '#server/model/people/user-store.ts';
import { readUnsubscribe } from '#server/model/mail/sign-unsubscribe.ts';
import type { Services } from '#server/model/services.ts';
import { brokenLinkPage, unsubscribedPage, unsubscribePage } from './unsubscribe-page.ts';

const sendPage = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);

export async function mountUnsubscribeRoutes(
  app: FastifyInstance,
  { database, settings }: Services,
): Promise<void> {
  const readToken = (token: string): UserId => {
    const userId = readUnsubscribe(settings.cookieSecret, token);
    if (userId !== null) return userId;
    throw new AppError('invalid_input', 'This is not a whole link. Open the one in the mail again.');
  };

  await app.register(async (scope) => {
    // The body from a mail program or the button of the page repeats the URL, so it is ignored.
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
