import type { FastifyInstance } from 'fastify';
import { accountEndpoints } from '#contract/account.ts';
import { cookieOptions, signInCookieName } from '#server/model/people/auth-cookie.ts';
import type { OpenDatabase } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { deleteAccount, deleteAccountFiles } from '#server/model/people/delete-people.ts';
import { exportAccount } from './export-account.ts';

export type AccountDependencies = {
  database: OpenDatabase;
  storage: Storage;
  lapWorkers: LapWorkers;
  incomingFolder: string;
  settings: { publicUrl: string };
};

export function mountAccountRoutes(
  app: FastifyInstance,
  { database: { db }, storage, settings, lapWorkers, incomingFolder }: AccountDependencies,
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
