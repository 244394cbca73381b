import { trackEndpoints, type Track } from '#contract/tracks/schemas.ts';
import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { TrackId } from '#contract/ids.ts';
import { uploadEndpoints } from '#contract/upload/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { limitWorkInProgress, type WorkInProgress } from '#server/kernel/http/work-in-progress.ts';
import { found } from '#server/kernel/http/found.ts';
import { requireOwnCar } from '#server/model/cars/garage-store.ts';
import { shareCourses, shareTracks } from '#server/model/laps/timing/shared-tracks.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { analyzeLapFile } from './analyze-lap-file.ts';
import { describeBest, findOwnBest } from './describe-best.ts';
import { acceptPending, deletePendingCopies, keepForUpload } from '#server/model/laps/pending-files.ts';
import { storeLapFiles } from '#server/model/laps/store-lap-file.ts';
import { withForm } from '#server/kernel/http/receive-form.ts';

// The web client sends one call at a time in each tab.
const IN_PROGRESS_MAX = 8;

/** Serves analyses and uploads; both count towards the same limit, because they are the same work. */
export function mountUploadRoutes(app: FastifyInstance, services: Services): void {
  const inProgress = limitWorkInProgress(IN_PROGRESS_MAX);
  mountAnalysis(app, services, inProgress);
  mountUpload(app, services, inProgress);
}

function mountAnalysis(
  app: FastifyInstance,
  { database: { db }, ...services }: Services,
  inProgress: WorkInProgress,
): void {
  const getTracks = shareTracks(db);
  const getCourses = shareCourses(db);
  const pendingParts = { ...services, db };
  const acceptFor = acceptPending(pendingParts);

  serve(app, uploadEndpoints.analyze, ({ request, viewer }) =>
    inProgress(request, viewer.id, () =>
      withForm(
        request,
        uploadEndpoints.analyze.multipart,
        acceptFor(viewer.id),
        async ({ fields, files }) => {
          const [file] = files;
          if (!file) throw new Error('A form without a file was let through.');
          const { log } = request;
          const track = fields.trackId === undefined ? null : await getTrack(db, fields.trackId);
          const analysis = await analyzeLapFile(
            { ...pendingParts, log },
            {
              ...file,
              userId: viewer.id,
              track,
              tracks: await getTracks(),
              courses: await getCourses(),
            },
          );
          if (analysis.gpsPointCount === 0) return analysis;
          const fileToken = await keepForUpload({ ...pendingParts, log }, viewer.id, file);
          return { ...analysis, ...(fileToken !== null && { fileToken }) };
        },
      ),
    ),
  );
}

function mountUpload(
  app: FastifyInstance,
  { database: { db }, settings, ...services }: Services,
  inProgress: WorkInProgress,
): void {
  const pendingParts = { ...services, db };
  const acceptFor = acceptPending(pendingParts);

  serve(app, uploadEndpoints.upload, ({ request, viewer }) =>
    inProgress(request, viewer.id, () =>
      withForm(request, uploadEndpoints.upload.multipart, acceptFor(viewer.id), async ({ fields, files }) => {
        const { userCarId = null, tireCompound = null, videoUrl = null } = fields;
        if (userCarId !== null) await requireOwnCar(db, viewer.id, userCarId);
        const services = { ...pendingParts, log: request.log, driverQuotaBytes: settings.driverQuotaBytes };
        const driven = { track: await getTrack(db, fields.trackId), userId: viewer.id };
        const previous = await findOwnBest(db, driven);
        const upload = { ...driven, userCarId, tireCompound, videoUrl };
        const results = await storeLapFiles(services, upload, files);
        const best = await describeBest(services, driven, { previous, results });
        await deletePendingCopies(services, files, results);
        return { results, best };
      }),
    ),
  );
}

async function getTrack(db: Database, trackId: TrackId): Promise<Track> {
  return found(await findTrack(db, trackId), trackEndpoints.get);
}
