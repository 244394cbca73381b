import { z } from 'zod';
import { trackIdSchema } from '#contract/ids.ts';
import type { Track as EngineTrack } from '#engine/track.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { proposedName } from '#contract/cars/schemas.ts';
import { endpoint } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { nonnegativeInt, nullableText } from '#contract/values.ts';
import { lapFilesWithTrack } from './lap-files-with-track.ts';

const positionSchema = z.object({
  lat: z
    .number()
    .min(-90)
    .max(90)
    .meta({ description: 'Degrees north.', examples: [51.17785] }),
  lon: z
    .number()
    .min(-180)
    .max(180)
    .meta({ description: 'Degrees east.', examples: [1.1989] }),
});

const bearingSchema = z
  .number()
  .min(0)
  .lt(360)
  .nullable()
  .meta({ description: 'The driving direction, in degrees from north, where it is known.', examples: [90] });

export const timingLineSchema = z.object({
  a: positionSchema,
  b: positionSchema,
  bearingDeg: bearingSchema,
}) satisfies z.ZodType<TimingLine>;

export const sectorLineSchema = timingLineSchema.extend({ name: z.string().meta({ examples: ['S1'] }) });

export const outlineSchema = z.array(z.tuple([z.number(), z.number()])).meta({
  description:
    'Latitude and longitude of points along one lap, from the start/finish line on in driving direction.',
  examples: [
    [
      [51.17771, 1.1989],
      [51.1782, 1.2012],
      [51.17771, 1.1989],
    ],
  ],
});

/** The published set that a track or course comes from, which is shown wherever the track is. */
export const trackOriginSchema = z.object({
  set: z.string().meta({ description: 'The name of the set.', examples: ['open-racetrack-db'] }),
  title: z.string().meta({ examples: ['Open Racetrack Database'] }),
  sourceUrl: z
    .string()
    .regex(/^https?:\/\//)
    .meta({ examples: ['https://github.com/markthebault/open-racetrack-db'] }),
  licence: z.string().meta({ examples: ['ODbL 1.0'] }),
  attribution: z.string().meta({ examples: ['© OpenStreetMap contributors'] }),
});

export type TrackOrigin = z.infer<typeof trackOriginSchema>;

export const trackSchema = z.object({
  id: trackIdSchema,
  name: z.string().meta({ examples: ['Lydden Hill'] }),
  location: nullableText.meta({ examples: ['Canterbury'] }),
  configuration: nullableText.meta({ description: 'The layout.', examples: ['Rallycross'] }),
  country: nullableText.meta({ examples: ['United Kingdom'] }),
  lengthMeters: z
    .number()
    .positive()
    .nullable()
    .meta({ examples: [1_600] }),
  status: z.enum(['official', 'community_submitted']),
  radiusMeters: z
    .number()
    .positive()
    .meta({
      description: 'A lap file is looked for on this track when it was recorded this near to its center.',
      examples: [900],
    }),
  centerLat: z.number().meta({ examples: [51.1777] }),
  centerLon: z.number().meta({ examples: [1.1989] }),
  startFinishLine: timingLineSchema.nullable(),
  finishLine: timingLineSchema.nullable().optional().meta({
    description:
      'The line at which runs end on a path that does not lead back to its start; missing on circuits.',
  }),
  sectors: z.array(sectorLineSchema),
  outline: outlineSchema.nullable(),
  timeZone: z
    .string()
    .meta({ description: 'IANA name of the time zone at the track.', examples: ['Europe/London'] }),
  origin: trackOriginSchema
    .nullable()
    .optional()
    .meta({ description: 'Missing or null where the track comes from the club or with Pitboard.' }),
}) satisfies z.ZodType<EngineTrack>;

export type Track = z.infer<typeof trackSchema>;

/** The names of a course near a position; its start line is not known. */
const nearbyCourseSchema = trackSchema
  .pick({ name: true, location: true, country: true, centerLat: true, centerLon: true })
  .extend({ origin: trackOriginSchema });

export type NearbyCourse = z.infer<typeof nearbyCourseSchema>;

/** A track in the list of all tracks, with an outline that is thinned for small maps. */
export const listedTrackSchema = trackSchema.extend({
  entryCount: nonnegativeInt.meta({ description: 'Drivers with a ranking lap here.', examples: [12] }),
  hasOwnEntry: z.boolean().meta({ description: 'Whether the signed-in driver is one of them.' }),
});

export type ListedTrack = z.infer<typeof listedTrackSchema>;

/** A track that the library lacks, as a driver describes it; the laps of the file give length and outline. */
const trackProposalSchema = z.object({
  name: proposedName.meta({ examples: ['Lydden Hill'] }),
  configuration: proposedName
    .nullable()
    .default(null)
    .meta({ examples: ['Rallycross'] }),
  location: proposedName.meta({ examples: ['Canterbury'] }),
  country: proposedName.meta({ examples: ['United Kingdom'] }),
  startFinishLine: timingLineSchema,
  finishLine: timingLineSchema
    .nullable()
    .default(null)
    .meta({ description: 'Where runs end; null on circuits.' }),
  sectors: z
    .array(timingLineSchema.extend({ name: proposedName }))
    .max(LIMITS.proposedSectorsMax)
    .default([]),
});

export type TrackProposal = z.output<typeof trackProposalSchema>;

const NEAR = /^(-?\d{1,2}(?:\.\d{1,12})?),(-?\d{1,3}(?:\.\d{1,12})?)$/;

const trackListQuery = z.object({
  q: z
    .string()
    .trim()
    .max(100)
    .optional()
    .meta({ description: 'A part of the name or location, in either case, with or without accents.' }),
  limit: z.coerce.number().int().min(1).max(LIMITS.tracksPerPageMax).optional(),
  offset: z.coerce.number().int().min(0).max(LIMITS.tracksMax).default(0),
  near: z
    .string()
    .regex(NEAR, 'This must be latitude and longitude with a comma between.')
    .optional()
    .meta({
      description: 'Latitude and longitude: tracks without laps come nearest first.',
      examples: ['51.18,1.2'],
    }),
});

const trackParams = z.object({ trackId: trackIdSchema });

export const trackEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/tracks',
    access: 'public',
    summary:
      'Lists all tracks, or with `limit` a page of them: tracks with an entry of the signed-in driver first, then tracks with more entries.',
    query: trackListQuery,
    response: z.array(listedTrackSchema),
    isTagged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId',
    access: 'public',
    summary: 'One track with its full outline.',
    params: trackParams,
    response: trackSchema,
    errors: { not_found: 'There is no such track.' },
  }),
  near: endpoint({
    method: 'GET',
    path: '/api/nearby-tracks',
    access: 'public',
    summary:
      'Returns the tracks near a position, nearest first, the courses of fetched sets there, and its country.',
    query: z.object({
      lat: z.coerce
        .number()
        .min(-90)
        .max(90)
        .meta({ examples: [51.178] }),
      lon: z.coerce
        .number()
        .min(-180)
        .max(180)
        .meta({ examples: [1.199] }),
    }),
    response: z.object({
      tracks: z.array(trackSchema).max(LIMITS.nearbyTracksMax),
      courses: z.array(nearbyCourseSchema).max(LIMITS.nearbyTracksMax),
      country: nullableText.meta({ description: 'Null at sea.', examples: ['United Kingdom'] }),
      mapTiles: z.object({ url: z.string(), attribution: z.string() }).nullable().meta({
        description: 'A background map: an address with {z}, {x} and {y}. Null where the server has none.',
      }),
    }),
  }),
  propose: endpoint({
    method: 'POST',
    path: '/api/tracks/proposals',
    access: 'signed_in',
    limit: 20,
    audit: 'propose-track',
    summary:
      'Adds a track that the library lacks, marked as a proposal by the community. The first lap file shows its outline; the files together show that it is a track: they hold three laps on it that rank.',
    multipart: lapFilesWithTrack(
      trackProposalSchema,
      'JSON with name, location, country and lines of the track.',
    ),
    response: trackSchema,
    errors: {
      conflict: 'The library has this track already.',
      too_many_requests: 'Too many proposals today.',
    },
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/preview.png',
    access: 'public',
    limit: 120,
    summary: 'The picture of a link to a track, 1200 by 630 pixels: its outline, its name and its record.',
    params: trackParams,
    response: 'image/png',
    isTagged: true,
    errors: { not_found: 'There is no such track.' },
  }),
};
