import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { LIMITS } from '#contract/limits.ts';
import { TRACK_SET_STATES } from './labels.ts';

/** Counts what an installed set brought: tracks have a start line, courses wait for one. */
const resultSchema = z.object({
  tracks: z.int().meta({ examples: [0] }),
  courses: z.int().meta({ examples: [868] }),
  known: z.int().meta({ description: 'Courses that the library had already.', examples: [31] }),
  duplicates: z.int().meta({ description: 'Courses that the set has more than once.', examples: [9] }),
  leftOut: z.int().meta({ description: 'Files that hold no course.', examples: [12] }),
});

export type TrackSetResult = z.infer<typeof resultSchema>;

const trackSetSchema = z.object({
  name: z.string().meta({ examples: ['open-racetrack-db'] }),
  title: z.string().meta({ examples: ['Open Racetrack Database'] }),
  summary: z.string().meta({ examples: ['763 venues, 908 layouts'] }),
  licence: z.string().meta({ examples: ['ODbL 1.0'] }),
  attribution: z.string().meta({ examples: ['© OpenStreetMap contributors'] }),
  sourceUrl: z.string().meta({ examples: ['https://github.com/markthebault/open-racetrack-db'] }),
  commit: z.string().meta({ description: 'The version that is fetched.' }),
  approximateBytes: z.int().nullable().meta({ description: 'Null where the size is not known before.' }),
  state: z.enum(TRACK_SET_STATES),
  progress: z
    .object({ done: z.int(), total: z.int().nullable() })
    .nullable()
    .meta({ description: 'Bytes while fetching, files while reading, rows while adding.' }),
  problem: z.string().nullable().meta({ description: 'Why it failed, and what to do.' }),
  result: resultSchema.nullable(),
  hasAsked: z.boolean().meta({ description: 'The viewer has asked for it within a day.' }),
});

export type TrackSet = z.infer<typeof trackSetSchema>;

const params = z.object({ setName: z.string().max(60) });

const NO_SET = { not_found: 'There is no such set.' };

export const trackSetEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/track-sets',
    access: 'public',
    summary: 'Published sets of tracks with their licences, and which of them are here.',
    response: z.object({ sets: z.array(trackSetSchema) }),
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/track-sets/:setName/requests',
    access: 'signed_in',
    limit: 10,
    audit: 'ask-for-tracks',
    summary: `Asks the administrators to get a set of tracks, ${LIMITS.trackSetRequestsPerDayMax} sets a day and each once; the user gets a notice when it is here.`,
    params,
    response: z.object({ asked: z.literal(true) }),
    errors: {
      ...NO_SET,
      conflict: 'The set is here already.',
      too_many_requests: 'The user has asked for it today, or for too many.',
    },
  }),
  fetch: endpoint({
    method: 'POST',
    path: '/api/admin/track-sets/:setName/fetch',
    access: 'admin',
    limit: 20,
    audit: 'fetch-track-set',
    summary:
      'Gets a published set of tracks in the background, and adds its tracks and courses. A fetch that was cut off goes on where it ended.',
    params,
    response: trackSetSchema,
    errors: { ...NO_SET, conflict: 'The set is here already, or on its way.' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/track-sets/:setName',
    access: 'admin',
    audit: 'remove-track-set',
    summary: 'Removes the tracks and courses of a set; tracks with sessions stay.',
    params,
    response: z.object({ removedTracks: z.int(), keptTracks: z.int(), removedCourses: z.int() }),
    errors: { ...NO_SET, conflict: 'The set is on its way.' },
  }),
};
