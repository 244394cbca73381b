import { z } from 'zod';
import { lapIdSchema, sessionIdSchema, trackIdSchema, userCarIdSchema, userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { exportQuerySchema } from '#contract/laps/exports.ts';
import { sessionDateSchema, timedLapSchema, tireCompoundSchema } from '#contract/laps/schemas.ts';
import { linkSchema } from '#contract/links.ts';
import { LIMITS } from '#contract/limits.ts';
import { nullableText } from '#contract/values.ts';

/** A complete lap that does not count. */
const refusedLapSchema = timedLapSchema
  .pick({ number: true, lapTimeMs: true, reasons: true })
  .extend({ lapId: lapIdSchema });

export type RefusedLap = z.infer<typeof refusedLapSchema>;

export const sessionSchema = z.object({
  id: sessionIdSchema,
  trackId: trackIdSchema,
  userCarId: userCarIdSchema.nullable(),
  carName: nullableText.meta({
    description:
      "The driver's name for the car, else its model; also present after the car has left the garage.",
    examples: ['Track toy'],
  }),
  sessionDate: sessionDateSchema,
  tireCompound: nullableText.meta({ examples: ['track-200'] }),
  videoUrl: nullableText.meta({ examples: ['https://video.example/lap'] }),
  lapCount: z.int().meta({ description: 'Complete laps.', examples: [12] }),
  bestLapTimeMs: z
    .int()
    .nullable()
    .meta({ description: 'The best that ranks, in milliseconds.', examples: [44_986] }),
  bestLapId: lapIdSchema.nullable(),
  refusedLaps: z
    .array(refusedLapSchema)
    .nullable()
    .meta({
      description:
        'The laps that do not count, but for out laps and in laps; null in the sessions of others.',
      examples: [
        [
          {
            lapId: '2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934',
            number: 3,
            lapTimeMs: 41_207,
            reasons: ['off_track'],
          },
        ],
      ],
    }),
});

export type Session = z.infer<typeof sessionSchema>;

/** A session with all its laps, as its driver may edit it. */
export const ownSessionSchema = sessionSchema.extend({
  linesPrivate: z.boolean().nullable().meta({
    description: 'Whether others may not see the lines of its laps; null: as the profile says.',
  }),
  laps: z
    .array(
      timedLapSchema.extend({
        lapId: lapIdSchema,
        isLeftOut: z.boolean().meta({ description: 'Whether its driver has left it out of the board.' }),
      }),
    )
    .meta({ description: 'In the order of the file.' }),
});

export type OwnSession = z.infer<typeof ownSessionSchema>;

/** The fields of a session that a driver may change; absent fields stay the same. */
const sessionChangeSchema = z.object({
  userCarId: userCarIdSchema.optional().meta({ description: 'A car of the own garage.' }),
  tireCompound: tireCompoundSchema.optional(),
  videoUrl: linkSchema
    .nullable()
    .optional()
    .meta({ examples: ['https://video.example/lap'] }),
  linesPrivate: z.boolean().nullable().optional().meta({
    description: 'Whether others may not see the lines of its laps; null: as the profile says.',
  }),
  laps: z
    .array(z.object({ lapId: lapIdSchema, isLeftOut: z.boolean() }))
    .max(LIMITS.lapsPerSessionMax, `A session has ${LIMITS.lapsPerSessionMax} laps at most.`)
    .optional()
    .meta({
      description:
        'Laps that count and are to be left out of the board, or that were left out and are to be put back.',
    }),
});

export type SessionChange = z.infer<typeof sessionChangeSchema>;

const OWN_SESSION_ERRORS = {
  not_found: 'There is no such session.',
  not_allowed: 'The session is not yours, or the call came from another site.',
};

export const sessionEndpoints = {
  listOfUser: endpoint({
    method: 'GET',
    path: '/api/sessions/user/:userId',
    access: 'signed_in',
    summary: "A driver's sessions, newest first.",
    params: z.object({ userId: userIdSchema }),
    response: z.array(sessionSchema),
    errors: { not_found: 'There is no such driver.' },
  }),
  getOwn: endpoint({
    method: 'GET',
    path: '/api/sessions/:id',
    access: 'signed_in',
    summary: 'An own session with all its laps.',
    params: z.object({ id: sessionIdSchema }),
    response: ownSessionSchema,
    errors: { ...OWN_SESSION_ERRORS, not_allowed: 'The session is not yours.' },
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/export',
    access: 'signed_in',
    limit: 30,
    summary:
      'The whole recording of a session as a file for other programs: `vbo`, `gpx`, `racechrono` (CSV v3) or `geojson`. Its driver may export it, and moderators while a flag on one of its laps is open.',
    params: z.object({ id: sessionIdSchema }),
    query: exportQuerySchema,
    response: 'application/octet-stream',
    errors: {
      not_found: 'There is no such session, or its lap file is gone.',
      not_allowed: 'The session is not yours.',
    },
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/sessions/:id',
    access: 'signed_in',
    audit: 'change-session',
    summary:
      'Changes the given fields of an own session: car, tyres, video, who may see its lines, and which laps count. The board changes at once.',
    params: z.object({ id: sessionIdSchema }),
    body: sessionChangeSchema,
    response: ownSessionSchema,
    errors: {
      not_found: 'There is no such session, or no such lap in it.',
      not_allowed: 'The session or the car is not yours, or the call came from another site.',
    },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id',
    access: 'signed_in',
    summary:
      'Removes an own session with its laps and its lap file. For a minute it can be restored; then it is deleted for good.',
    params: z.object({ id: sessionIdSchema }),
    response: z.object({ removed: z.literal(true) }),
    errors: OWN_SESSION_ERRORS,
  }),
  restore: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id/deletion',
    access: 'signed_in',
    summary:
      'Restores an own session within a minute of its deletion, with its laps, its lap file and its ranks.',
    params: z.object({ id: sessionIdSchema }),
    response: z.object({ restored: z.literal(true) }),
    errors: {
      not_found: 'There is no such session, or its minute is over.',
      not_allowed: OWN_SESSION_ERRORS.not_allowed,
      conflict: 'Its lap file was uploaded again meanwhile, or its track is gone.',
    },
  }),
};
