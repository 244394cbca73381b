import type { FastifyInstance } from 'fastify';
import { courseEndpoints } from '#contract/tracks/courses.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { withForm } from '#server/kernel/http/receive-form.ts';
import { limitWorkInProgress } from '#server/kernel/http/work-in-progress.ts';
import { acceptPending } from '#server/model/laps/pending-files.ts';
import { shareTracks } from '#server/model/laps/timing/shared-tracks.ts';
import type { Services } from '#server/model/services.ts';
import { addConfirmedCourse } from './confirm-course.ts';

const IN_PROGRESS_MAX = 2;

export function mountCourseRoutes(app: FastifyInstance, services: Services): void {
  const { lapWorkers, database } = services;
  const { db } = database;
  const getTracks = shareTracks(db);
  const inProgress = limitWorkInProgress(IN_PROGRESS_MAX);
  const acceptFor = acceptPending({ ...services, db });
  const { confirmCourse } = courseEndpoints;

  serve(app, confirmCourse, ({ request, viewer, params, audit }) =>
    inProgress(request, viewer.id, () =>
      withForm(request, confirmCourse.multipart, acceptFor(viewer.id), async ({ fields, files }) => {
        const tracks = await getTracks();
        const sent = { viewer, ...params, files, confirmed: fields.track, tracks, audit };
        return await addConfirmedCourse({ db, lapWorkers }, sent);
      }),
    ),
  );
}
