import type { FastifyInstance } from 'fastify';
import { ZipFile } from 'yazl';
import { refusedFileEndpoints, type RefusedFileReport } from '#contract/upload/refused-files.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { type ReceivedFile, withForm } from '#server/kernel/http/receive-form.ts';
import { limitWorkInProgress } from '#server/kernel/http/work-in-progress.ts';
import { openContent } from '#server/kernel/storage/compressed.ts';
import { acceptPending } from '#server/model/laps/pending-files.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { buildRefusal } from '#server/model/laps/timing/report-file.ts';
import {
  deleteRefusedFile,
  findRefusedFile,
  listRefusedFiles,
} from '#server/model/refused-files/refused-file-store.ts';
import {
  keepRefusedFile,
  refusedFileKey,
  deleteRefusedFiles,
} from '#server/model/refused-files/refused-files.ts';
import type { Services } from '#server/model/services.ts';

// The web client sends one file at a time.
const IN_PROGRESS_MAX = 2;

/** Serves files that were refused: drivers send them, and owners list, download and delete them. */
export function mountRefusedFileRoutes(app: FastifyInstance, services: Services): void {
  const { database, storage, lapWorkers, adminEmails } = services;
  const { db } = database;
  const acceptFor = acceptPending({ ...services, db });
  const inProgress = limitWorkInProgress(IN_PROGRESS_MAX);

  serve(app, refusedFileEndpoints.send, ({ request, viewer }) =>
    inProgress(request, viewer.id, () =>
      withForm(request, refusedFileEndpoints.send.multipart, acceptFor(viewer.id), async ({ files }) => {
        const [file] = files;
        if (!file) throw new Error('A form without a file was let through.');
        const report = await reportOn(lapWorkers, viewer.id, file);
        await keepRefusedFile({ db, storage, adminEmails }, { userId: viewer.id, file, report });
        return { sent: true as const };
      }),
    ),
  );

  serve(app, refusedFileEndpoints.list, async () => ({ files: await listRefusedFiles(db) }));

  serve(app, refusedFileEndpoints.download, async ({ params, reply }) => {
    const file = found(await findRefusedFile(db, params.fileId), refusedFileEndpoints.download);
    const content = found(await openContent(storage, refusedFileKey(file.id)), refusedFileEndpoints.download);
    const { fileName, byteCount, sha256, sentAt, report } = file;
    const archive = new ZipFile();
    content.once('error', (error) => archive.outputStream.emit('error', error));
    archive.addBuffer(
      Buffer.from(JSON.stringify({ fileName, byteCount, sha256, sentAt, ...report }, null, 2)),
      'report.json',
    );
    archive.addReadStream(content, `file/${toSafeName(fileName)}`);
    archive.end();
    return reply
      .header('content-disposition', `attachment; filename="refused-${file.id}.zip"`)
      .type(refusedFileEndpoints.download.response)
      .send(archive.outputStream);
  });

  serve(app, refusedFileEndpoints.remove, async ({ params, audit }) => {
    const { fileId: id } = params;
    await db.transaction(async (tx) => {
      if (!(await deleteRefusedFile(tx, id))) throw new AppError('not_found', 'There is no such file.');
      await audit(tx, { subject: id });
    });
    await deleteRefusedFiles(storage, [id]);
    return { removed: true as const };
  });
}

/** Returns what the engine finds in a file; reading one that takes too long is a reason to refuse it, too. */
async function reportOn(
  lapWorkers: LapWorkers,
  userId: string,
  { path, byteCount }: ReceivedFile,
): Promise<RefusedFileReport> {
  try {
    return await lapWorkers.report({ path }, { userId, byteCount });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return buildRefusal(error.message);
    if (error instanceof AppError) throw error;
    return buildRefusal(`The engine failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns the name without what a program that unpacks archives may take for a path. */
function toSafeName(fileName: string): string {
  return fileName.replaceAll(/[\p{Cc}\p{Cf}/\\:]/gu, '_').replace(/^\.+/, '_') || 'file';
}
