import type { Services } from '#server/model/services.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { adminEndpoints, type ImportProgress } from '#contract/library/schemas.ts';
import type { Endpoint, MultipartForm } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { getKnownCarsText, insertNewCars } from '#server/model/cars/car-import-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { AppError } from '#server/kernel/errors.ts';
import { answerError } from '#server/kernel/http/answer-error.ts';
import { withForm } from '#server/kernel/http/receive-form.ts';
import { type ImportWorkers, startImportWorkers } from './import-workers.ts';
import { importApexTracks, migrateApexTracks } from './apex-tracks.ts';
import { createTracks } from './create-tracks.ts';
import { importTrackSet } from '../track-sets/import-track-set.ts';
import type { CheckedCars } from './import-tasks.ts';
import type { WriteAudit } from '#server/kernel/http/endpoint-hooks.ts';
import { lockImports } from '#server/model/tracks/track-library-store.ts';

/** Serves imports. A worker thread reads large input: files from the disk, requests from the bytes of their body. */
export async function mountImportRoutes(
  app: FastifyInstance,
  { database: { db }, incomingFolder }: Services,
): Promise<void> {
  const workers = startImportWorkers();
  app.addHook('onClose', () => workers.close());
  for (const mount of [mountFiles, mountTrackSet]) mount(app, { db, workers, incomingFolder });
  serve(app, adminEndpoints.migrateApex, ({ audit }) => migrateApexTracks(db, audit));
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => answerError(nameLimit(error), request, reply));
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'buffer', bodyLimit: LIMITS.importBytesMax } as const;
    scope.addContentTypeParser('application/json', options, (_request, body, done) => done(null, body));
    mountBodies(scope, { db, workers });
  });
}

/** Adds the limit of imports to the error for a body that is too large, whose general message gives no limit. */
function nameLimit(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'))
    return error;
  const megabytes = LIMITS.importBytesMax / (1024 * 1024);
  return new AppError('too_large', `An import may have at most ${megabytes} MB.`, { cause: error });
}

type Parts = { db: Database; workers: ImportWorkers };

type FileParts = Parts & { incomingFolder: string };

function mountFiles(app: FastifyInstance, { db, workers, incomingFolder }: FileParts): void {
  const { parseTracks, parseApex, previewCars } = adminEndpoints;
  serve(app, parseTracks, ({ request }) =>
    answerFile(request, parseTracks.multipart, (path) => workers.parseTracks(path)),
  );
  serve(app, parseApex, ({ request }) =>
    answerFile(request, parseApex.multipart, (path) => workers.parseApex(path)),
  );
  serve(app, previewCars, ({ request }) =>
    answerFile(request, previewCars.multipart, async (path) =>
      workers.previewCars({ path, known: await getKnownCarsText(db) }),
    ),
  );

  async function answerFile(
    request: FastifyRequest,
    form: MultipartForm,
    read: (path: string) => Promise<Uint8Array>,
  ) {
    return await withForm(request, form, { folder: incomingFolder }, async ({ files: [file] }) => {
      if (!file) throw new Error('A form without a file was let through.');
      return { finishedJson: await read(file.path) };
    });
  }
}

function mountTrackSet(app: FastifyInstance, { db, workers, incomingFolder }: FileParts): void {
  const { importTrackSet: endpoint, importProgress } = adminEndpoints;
  /** Each administrator's running import reports its progress here. */
  const running = new Map<string, () => ImportProgress>();

  serve(app, endpoint, ({ request, viewer }) =>
    withForm(request, endpoint.multipart, { folder: incomingFolder }, async ({ files: [file] }) => {
      if (!file) throw new Error('A form without a file was let through.');
      const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
      running.set(viewer.id, () => readProgress(counts));
      try {
        return await importTrackSet(db, {
          path: file.path,
          userId: viewer.id,
          onProgress: (progress) => running.set(viewer.id, () => progress),
          sortOut: (set) => workers.sortOutTrackSet({ ...set, counts }),
        });
      } finally {
        running.delete(viewer.id);
      }
    }),
  );
  serve(app, importProgress, async ({ viewer }) => ({ progress: running.get(viewer.id)?.() ?? null }));
}

function readProgress([done = 0, total = 0]: Int32Array): ImportProgress {
  return { step: total > 0 && done === total ? 'comparing' : 'reading', done, total };
}

function mountBodies(app: FastifyInstance, { db, workers }: Parts): void {
  serve(app, withoutBody(adminEndpoints.createTracks), async ({ request, viewer }) =>
    createTracks(db, viewer, await workers.checkTracks(readBytes(request))),
  );
  serve(app, withoutBody(adminEndpoints.importApex), async ({ request, audit }) =>
    importApexTracks(db, await workers.checkApex(readBytes(request)), audit),
  );
  serve(app, withoutBody(adminEndpoints.importCars), async ({ request, audit }) => {
    const known = await getKnownCarsText(db);
    return await importCars(db, await workers.checkCars({ body: readBytes(request), known }), audit);
  });
}

/** Removes the body from an endpoint: the handler gets unread bytes, and a worker checks them. */
function withoutBody<E extends Endpoint>(endpoint: E): Omit<E, 'body'> {
  const { body: _body, ...rest } = endpoint;
  return rest;
}

function readBytes({ body }: FastifyRequest): Uint8Array {
  if (Buffer.isBuffer(body) && body.length > 0) return body;
  throw new AppError('invalid_input', 'The body of the request is empty.');
}

async function importCars(db: Database, checked: CheckedCars, audit: WriteAudit) {
  const { pieces, newCount, existing, problems } = checked;
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    let imported = 0;
    for (const piece of pieces) imported += await insertNewCars(tx, piece);
    // Another administrator may have imported a car after the check, so the insert returns the real count.
    const counts = { imported, existing: existing + newCount - imported, withProblems: problems.length };
    await audit(tx, { counts });
    return { imported, existing: counts.existing, problems };
  });
}
