import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { accountEndpoints } from '#contract/profile/schemas.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { keepAccount, leaveAccount } from '#server/model/people/delete-people.ts';
import { getAuthSession } from '#server/model/people/recent-sign-in.ts';
import { exportAccount } from './export-account.ts';

export function mountAccountRoutes(
  app: FastifyInstance,
  { database, storage, settings, lapWorkers, incomingFolder }: Services,
): void {
  const { db } = database;
  serve(app, accountEndpoints.export, async ({ viewer, request, reply }) =>
    reply
      .header('content-disposition', 'attachment; filename="pitboard-export.zip"')
      .type(accountEndpoints.export.response)
      .send(exportAccount({ db, storage, lapWorkers, incomingFolder, log: request.log }, viewer.id)),
  );

  serve(app, accountEndpoints.remove, async ({ viewer, body, request }) => {
    const { tokenSha256 } = await getAuthSession({ database, settings }, request);
    const deps = { db, storage, log: request.log };
    const dueAt = await leaveAccount(deps, viewer.id, { ...body, tokenSha256 });
    return { deletionDueAt: dueAt.toISOString() };
  });

  serve(app, accountEndpoints.keep, async ({ viewer }) => {
    await keepAccount(db, viewer.id);
    // The hook that records it for other calls does not see a viewer who leaves.
    await database.recordReplayPosition(viewer.id);
    return { kept: true as const };
  });
}
