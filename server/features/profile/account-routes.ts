import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { accountEndpoints } from '#contract/profile/schemas.ts';
import { cookieOptions, signInCookieName } from '#server/model/people/auth-cookie.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { deleteAccount, deleteAccountFiles } from '#server/model/people/delete-people.ts';
import { exportAccount } from './export-account.ts';

export function mountAccountRoutes(
  app: FastifyInstance,
  { database: { db }, storage, settings, lapWorkers, incomingFolder }: Services,
): void {
  serve(app, accountEndpoints.export, async ({ viewer, reply }) =>
    reply
      .header('content-disposition', 'attachment; filename="pitboard-export.zip"')
      .type(accountEndpoints.export.response)
      .send(exportAccount({ db, storage, lapWorkers, incomingFolder }, viewer.id)),
  );

  serve(app, accountEndpoints.remove, async ({ viewer, request, reply }) => {
    const files = await deleteAccount(db, viewer.id);
    reply.clearCookie(signInCookieName(settings.publicUrl), cookieOptions(settings.publicUrl, 0));
    await deleteAccountFiles(storage, { userId: viewer.id, files, log: request.log });
    return { removed: true as const };
  });
}
