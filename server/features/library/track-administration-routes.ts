import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { trackAdministrationEndpoints } from '#contract/tracks/administration.ts';
import { trackProposalEndpoints } from '#contract/tracks/proposals.ts';
import { listFullTracksAsJson } from '#server/model/tracks/track-store.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { listAdministeredTracks } from '#server/model/tracks/library-list-store.ts';
import { listRetimings } from '#server/model/tracks/track-correction-store.ts';
import { correctTrack } from './correct-track.ts';
import { approveTrack, mergeTrack } from './review-proposed-tracks.ts';
import { deleteTrack } from './delete-track.ts';
import { listTrackProposals } from '#server/model/tracks/track-proposal-store.ts';

export function mountTrackAdministrationRoutes(
  app: FastifyInstance,
  { database: { db }, storage }: Services,
): void {
  serve(app, trackAdministrationEndpoints.correctTrack, ({ viewer, params, body }) =>
    correctTrack(db, viewer, params.trackId, body),
  );

  serve(app, trackAdministrationEndpoints.deleteTrack, async ({ viewer, params, query }) => {
    const removedSessions = await deleteTrack({ db, storage }, viewer, { ...params, ...query });
    return { removed: true as const, ...(query.laps === 'remove' && { removedSessions }) };
  });

  serve(app, trackProposalEndpoints.listProposals, ({ query }) => listTrackProposals(db, query));

  serve(app, trackProposalEndpoints.approveTrack, ({ viewer, params }) =>
    approveTrack(db, viewer, params.trackId),
  );

  serve(app, trackProposalEndpoints.mergeTrack, ({ viewer, params, body }) =>
    mergeTrack(db, viewer, { ...params, ...body }),
  );

  serve(app, trackProposalEndpoints.listRetimings, async () => ({ retimings: await listRetimings(db) }));

  serve(app, trackAdministrationEndpoints.listTracks, ({ query }) => listAdministeredTracks(db, query));

  serve(app, trackAdministrationEndpoints.exportTracks, async ({ reply }) => {
    void reply.header('content-disposition', 'attachment; filename="tracks.json"');
    const tracks = await listFullTracksAsJson(db);
    return {
      finishedJson: Buffer.from(`{"format":"pitboard-tracks","version":1,"tracks":[${tracks.join()}]}`),
    };
  });
}
