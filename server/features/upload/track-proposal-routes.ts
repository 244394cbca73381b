import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { trackEndpoints } from '#contract/tracks/schemas.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { limitWorkInProgress } from '#server/kernel/http/work-in-progress.ts';
import { shareTracks } from '#server/model/laps/timing/shared-tracks.ts';
import { withForm } from '#server/kernel/http/receive-form.ts';
import { acceptPending } from '#server/model/laps/pending-files.ts';
import { proposeTrack } from './propose-track.ts';

const IN_PROGRESS_MAX = 2;

export function mountTrackProposalRoutes(app: FastifyInstance, services: Services): void {
  const { lapWorkers, database } = services;
  const { db } = database;
  const getTracks = shareTracks(db);
  const inProgress = limitWorkInProgress(IN_PROGRESS_MAX);
  const acceptFor = acceptPending({ ...services, db });
  const { multipart } = trackEndpoints.propose;

  serve(app, trackEndpoints.propose, ({ request, viewer }) =>
    inProgress(request, viewer.id, () =>
      withForm(request, multipart, acceptFor(viewer.id), async ({ fields, files }) => {
        const [file, ...others] = files;
        if (!file) throw new Error('A form without a file was let through.');
        const sent = { viewer, file, others, proposal: fields.track, tracks: await getTracks() };
        return await proposeTrack({ db, lapWorkers }, sent);
      }),
    ),
  );
}
