import { searchQuery } from '#contract/lists.ts';
import { z } from 'zod';
import { trackIdSchema } from '#contract/ids.ts';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { INVISIBLE_CHARACTERS, VISIBLE_NAME } from '#contract/names.ts';
import { outlineSchema, sectorLineSchema, timingLineSchema, trackSchema } from './schemas.ts';

const name = z.string().trim().min(1).max(LIMITS.nameCharactersMax).regex(VISIBLE_NAME, INVISIBLE_CHARACTERS);

/** The fields of a track that an administrator may change; absent fields stay the same. */
const trackCorrectionSchema = z.object({
  name: name.optional(),
  location: name.nullable().optional(),
  configuration: name.nullable().optional(),
  country: name.nullable().optional(),
  status: trackSchema.shape.status.optional(),
  lengthMeters: z.number().min(50).max(200_000).nullable().optional(),
  radiusMeters: z.number().min(10).max(50_000).optional(),
  centerLat: z.number().min(-90).max(90).optional(),
  centerLon: z.number().min(-180).max(180).optional(),
  startFinishLine: timingLineSchema.nullable().optional(),
  finishLine: timingLineSchema.nullable().optional(),
  sectors: z.array(sectorLineSchema).max(LIMITS.sectorsMax).optional(),
  outline: outlineSchema.min(3).max(LIMITS.outlinePointsMax).nullable().optional(),
});

export type TrackCorrection = z.infer<typeof trackCorrectionSchema>;

/** A track as administrators see it in the table of all tracks. */
export const administeredTrackSchema = trackSchema
  .pick({ id: true, name: true, location: true, configuration: true, country: true, status: true })
  .extend({
    lengthMeters: z.number().nullable(),
    radiusMeters: z.number(),
    sessionCount: z.int().meta({ description: 'A track with sessions cannot be removed.', examples: [12] }),
    lapCount: z.int().meta({ description: 'Ranking laps.', examples: [57] }),
    isRetiming: z.boolean().meta({ description: 'Its laps are being timed again.' }),
  });

export type AdministeredTrack = z.infer<typeof administeredTrackSchema>;

/** The message for a moderator who is refused. */
export const MODERATORS_MAY =
  'Moderators decide on tracks that drivers proposed; official ones are for administrators.';

export const trackAdministrationEndpoints = {
  correctTrack: endpoint({
    method: 'PATCH',
    path: '/api/admin/tracks/:trackId',
    access: 'moderator',
    audit: 'correct-track',
    summary:
      'Changes the given fields of a track. If the change affects the timing, its laps are timed again in the background.',
    params: z.object({ trackId: trackIdSchema }),
    body: trackCorrectionSchema,
    response: z.object({
      track: trackSchema,
      sessionsToRetime: z.int(),
    }),
    errors: {
      not_found: 'There is no such track.',
      conflict: 'Another track within two kilometres has this name and configuration.',
      not_allowed: MODERATORS_MAY,
    },
  }),
  deleteTrack: endpoint({
    method: 'DELETE',
    path: '/api/admin/tracks/:trackId',
    access: 'moderator',
    audit: 'remove-track',
    recentSignIn: {
      sentence: 'Sign in again to remove the laps of drivers.',
      if: ({ laps }) => laps === 'remove',
    },
    summary: 'Deletes a track with its outline: one without laps, or a proposal together with its laps.',
    params: z.object({ trackId: trackIdSchema }),
    query: z.object({
      laps: z.enum(['keep', 'remove']).default('keep').meta({
        description:
          '`remove` also deletes the sessions on a proposed track, with their laps and lap files, which drivers can then upload again; it needs a sign-in of the last 15 minutes. Otherwise a track with sessions is refused.',
      }),
    }),
    response: z.object({ removed: z.literal(true), removedSessions: z.int().optional() }),
    errors: {
      ...NOT_RECENT,
      not_found: 'There is no such track.',
      conflict: 'The track has laps, or laps are to be removed of an official track.',
      not_allowed: MODERATORS_MAY,
    },
  }),
  listTracks: endpoint({
    method: 'GET',
    path: '/api/admin/tracks',
    access: 'admin',
    summary: 'Tracks with their laps, in alphabetical order.',
    query: searchQuery.extend({ status: trackSchema.shape.status.optional() }),
    response: z.object({ tracks: z.array(administeredTrackSchema), total: z.int() }),
  }),
  exportTracks: endpoint({
    method: 'GET',
    path: '/api/admin/tracks/export',
    access: 'admin',
    summary: 'All tracks with their lines and outlines as one file, which another Pitboard imports.',
    response: z.object({
      format: z.literal('pitboard-tracks'),
      version: z.literal(1),
      tracks: z.array(trackSchema),
    }),
  }),
};
