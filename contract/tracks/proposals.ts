import { z } from 'zod';
import { trackIdSchema } from '#contract/ids.ts';
import { nullableText } from '#contract/values.ts';
import { administeredTrackSchema, MODERATORS_MAY } from './administration.ts';
import { pageQuery } from '#contract/lists.ts';
import { endpoint } from '#contract/endpoint.ts';
import { outlineSchema, trackSchema } from './schemas.ts';

const lapCounts = {
  sessionCount: z.int().meta({ examples: [2] }),
  lapCount: z.int().meta({ description: 'Ranking laps.', examples: [17] }),
  driverCount: z.int().meta({ description: 'Drivers with a session there.', examples: [1] }),
};

/** A track near a proposal, possibly the same one. */
const nearTrackSchema = trackSchema
  .pick({ id: true, name: true, configuration: true, lengthMeters: true, status: true })
  .extend({
    distanceMeters: z.number().meta({ description: 'From center to center.', examples: [120] }),
  });

const proposedTrackSchema = administeredTrackSchema
  .pick({
    id: true,
    name: true,
    location: true,
    configuration: true,
    country: true,
    status: true,
    lengthMeters: true,
    radiusMeters: true,
  })
  .extend({
    ...lapCounts,
    /** The outline is thinned for a small map. */
    outline: outlineSchema.nullable(),
    origin: trackSchema.shape.origin,
    proposedByName: nullableText.meta({
      description: 'Null where the account is gone.',
      examples: ['Theo Okafor'],
    }),
    proposedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'ISO 8601, UTC.', examples: ['2026-06-01T10:00:00Z'] }),
    nearTracks: z
      .array(nearTrackSchema)
      .meta({ description: 'The nearest tracks within 5 km, nearest first.' }),
  });

export type ProposedTrack = z.infer<typeof proposedTrackSchema>;

const retimingSchema = trackSchema.pick({ id: true, name: true, configuration: true }).extend({
  lapsDone: z.int().meta({ examples: [12] }),
  lapsTotal: z.int().meta({ examples: [40] }),
});

export type Retiming = z.infer<typeof retimingSchema>;

const params = z.object({ trackId: trackIdSchema });

export const trackProposalEndpoints = {
  listProposals: endpoint({
    method: 'GET',
    path: '/api/admin/track-proposals',
    access: 'moderator',
    summary: 'Tracks that drivers proposed and that wait for approval, oldest first.',
    query: pageQuery,
    response: z.object({ proposals: z.array(proposedTrackSchema), total: z.int() }),
  }),
  approveTrack: endpoint({
    method: 'POST',
    path: '/api/admin/tracks/:trackId/approve',
    access: 'moderator',
    audit: 'approve-track',
    summary: 'Makes a track that a driver proposed an official one.',
    params,
    response: trackSchema,
    errors: { not_found: 'There is no such track.', conflict: 'The track is official already.' },
  }),
  listRetimings: endpoint({
    method: 'GET',
    path: '/api/admin/retimings',
    access: 'moderator',
    summary: 'Tracks whose laps are being timed again after a correction or a merge, and how far that is.',
    response: z.object({ retimings: z.array(retimingSchema) }),
  }),
  mergeTrack: endpoint({
    method: 'POST',
    path: '/api/admin/tracks/:trackId/merge',
    access: 'moderator',
    audit: 'merge-tracks',
    summary:
      'Moves all laps of a track to another one nearby and deletes it. The laps keep their ids and are timed again on the line of the other track in the background; links to the deleted track lead to the other one.',
    params,
    body: z.object({ intoTrackId: trackIdSchema.meta({ description: 'Of the track that stays.' }) }),
    response: z.object({ track: trackSchema, movedSessions: z.int(), movedLaps: z.int() }),
    errors: {
      not_found: 'One of the tracks does not exist.',
      conflict: 'The tracks are too far apart, or a driver has just uploaded laps.',
      not_allowed: MODERATORS_MAY,
    },
  }),
};
