import { z } from 'zod';
import type { Track as EngineTrack } from '#engine/track.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { endpoint } from './endpoint.ts';

const positionSchema = z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) });

const bearingSchema = z.number().min(0).lt(360).nullable();

export const timingLineSchema = z.object({
  a: positionSchema,
  b: positionSchema,
  bearingDeg: bearingSchema,
}) satisfies z.ZodType<TimingLine>;

export const sectorLineSchema = timingLineSchema.extend({ name: z.string() });

export const outlineSchema = z.array(z.tuple([z.number(), z.number()]));

export const trackIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'A track id has small letters, digits and hyphens.');

/** One layout of a venue. */
export const trackSchema = z.object({
  id: trackIdSchema,
  name: z.string(),
  location: z.string().nullable(),
  configuration: z.string().nullable(),
  country: z.string().nullable(),
  lengthMeters: z.number().positive().nullable(),
  status: z.enum(['official', 'community_submitted']),
  radiusMeters: z.number().positive(),
  centerLat: z.number(),
  centerLon: z.number(),
  startFinishLine: timingLineSchema.nullable(),
  /** Where runs end on a way that does not lead back to its start; missing on circuits. */
  finishLine: timingLineSchema.nullable().optional(),
  sectors: z.array(sectorLineSchema),
  outline: outlineSchema.nullable(),
  /** IANA name of the time zone at the track. */
  timeZone: z.string(),
}) satisfies z.ZodType<EngineTrack>;

export type Track = z.infer<typeof trackSchema>;

/** A track in the list of all: its outline is thinned for small drawings. */
export const listedTrackSchema = trackSchema.extend({
  /** Drivers with a ranking lap here. */
  entryCount: z.int().nonnegative(),
  hasOwnEntry: z.boolean(),
});

export type ListedTrack = z.infer<typeof listedTrackSchema>;

const trackParams = z.object({ trackId: trackIdSchema });

export const trackEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/tracks',
    access: 'public',
    summary: 'All tracks: those with an entry of the signed-in driver first, then those with more entries.',
    response: z.array(listedTrackSchema),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId',
    access: 'public',
    summary: 'One track with its full outline.',
    params: trackParams,
    response: trackSchema,
  }),
};
