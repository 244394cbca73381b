import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { pendingFileEndpoints } from '#contract/upload/pending-files.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { beginPendingFile, getPendingFile, receivePart } from '#server/model/laps/pending-files.ts';

export async function mountPendingFileRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const deps = { ...services, db: services.database.db };
  serve(app, pendingFileEndpoints.begin, ({ viewer, body }) => beginPendingFile(deps, viewer.id, body));
  serve(app, pendingFileEndpoints.get, ({ viewer, params }) =>
    getPendingFile(deps, viewer.id, params.fileToken),
  );
  // Fastify leaves the bodies in this scope unread, so that the route streams them.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    serve(scope, pendingFileEndpoints.receivePart, async ({ viewer, params, query, request }) => {
      try {
        const { 'content-encoding': encoding = 'identity' } = request.headers;
        if (encoding !== 'identity')
          throw new AppError('unsupported_type', 'Send the part as it is, not compressed.');
        return await receivePart(deps, viewer.id, { ...params, ...query, body: request.raw });
      } finally {
        // The rest of the body is read and dropped: a sender that is still writing would never see the answer.
        request.raw.resume();
      }
    });
  });
}
