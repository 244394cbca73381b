import { z } from 'zod';
import { lapIdSchema, sessionIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import { momentSchema, nonnegativeInt, nullableText, positiveInt } from '#contract/values.ts';
import { AUTOMATIC_REASONS, FLAG_LIMITS, FLAG_REASONS, MEASURES } from './labels.ts';
import { lapParams } from '#contract/lap-view/schemas.ts';

const sentenceSchema = z
  .string()
  .trim()
  .min(
    FLAG_LIMITS.sentenceCharactersMin,
    `Please write at least ${FLAG_LIMITS.sentenceCharactersMin} characters.`,
  )
  .max(
    FLAG_LIMITS.sentenceCharactersMax,
    `Please write at most ${FLAG_LIMITS.sentenceCharactersMax} characters.`,
  )
  .meta({ examples: ['The other laps of this car are 16 s slower.'] });

export const flagReasonSchema = z.enum([...FLAG_REASONS, ...AUTOMATIC_REASONS, 'appeal']).meta({
  description:
    '`appeal` comes from the driver of a rejected lap; the values after `other` come from the automatic checks.',
});

const flagSchema = z.object({
  reason: flagReasonSchema,
  sentence: z.string(),
  flaggedAt: momentSchema,
});

export const decisionSchema = z.object({
  verdict: z.enum(['keep', 'reject']),
  reason: nullableText,
  decidedAt: momentSchema,
});

const questionSchema = z.object({
  question: z.string(),
  askedAt: momentSchema,
  answer: nullableText,
  answeredAt: momentSchema.nullable(),
});

/** The flags of a lap as its driver sees them, without the names of those who raised or decided them. */
const lapFlagsSchema = z.object({
  openFlags: z
    .array(flagSchema)
    .meta({ description: 'The flags that no decision has closed, oldest first.' }),
  questions: z.array(questionSchema).meta({ description: 'The questions of moderators, oldest first.' }),
  decision: decisionSchema.nullable().meta({ description: 'The one in force.' }),
  mayAppeal: z
    .boolean()
    .meta({ description: 'Whether the lap is rejected and its driver has not appealed yet.' }),
});

export type LapFlags = z.infer<typeof lapFlagsSchema>;

export const lapTime = positiveInt.meta({ description: 'Milliseconds.', examples: [44_986] });

const measureSchema = z.object({
  quantity: z.enum(MEASURES).meta({
    description:
      '`cornering` and `braking` in g, `power` in W/kg, `speed` in km/h, `pace` in percent of a lap time, `likeness` in metres: less is more alike.',
  }),
  found: z.number().meta({ examples: [2.35] }),
  limit: z.number().meta({ examples: [1.45] }),
});

export type Measure = z.infer<typeof measureSchema>;

const otherLapSchema = z.object({ lapId: lapIdSchema, lapTimeMs: lapTime });

export const flaggedLapSchema = z.object({
  trackId: trackIdSchema,
  trackName: z.string(),
  sessionId: sessionIdSchema,
  lapId: lapIdSchema,
  rank: positiveInt.meta({
    description: 'The position of its time on the board of all times.',
    examples: [4],
  }),
  driverCount: nonnegativeInt.meta({ description: 'The drivers on that board.', examples: [23] }),
  openSince: momentSchema,
  driverId: userIdSchema,
  userName: z.string(),
  carName: nullableText,
  tireCompound: z.enum(TIRE_COMPOUNDS).nullable(),
  sessionDate: z.string().meta({ examples: ['2026-06-07'] }),
  lapTimeMs: lapTime,
  uncertaintyMs: nonnegativeInt.meta({ description: 'Milliseconds.' }),
  record: otherLapSchema.nullable().meta({ description: 'The fastest lap of another driver on the track.' }),
  driverOtherBest: otherLapSchema
    .nullable()
    .meta({ description: 'The best other lap of its driver on the track.' }),
  isRejected: z.boolean(),
  reasons: z.array(z.string()).meta({ description: 'The findings of the engine.' }),
  videoUrl: nullableText,
  flags: z.array(
    flagSchema.extend({
      userName: nullableText,
      measure: measureSchema
        .nullable()
        .meta({ description: 'The figure of an automatic check; null where it has none.' }),
    }),
  ),
  history: z
    .array(decisionSchema.extend({ userName: nullableText, isUndone: z.boolean() }))
    .meta({ description: 'Latest first.' }),
  questions: z.array(questionSchema).meta({ description: 'Oldest first.' }),
  whyNot: nullableText.meta({ description: 'Why the caller may not decide on it; null where they may.' }),
});

export type FlaggedLap = z.infer<typeof flaggedLapSchema>;

const done = z.object({ done: z.literal(true) });
const decidedPath = '/api/admin/tracks/:trackId/laps/:lapId/decision';

const CONFLICT_OF_INTEREST =
  'The caller drove the lap, has flagged a lap of its driver, or took the decision that is appealed against.';

export const flagEndpoints = {
  flag: endpoint({
    method: 'POST',
    path: '/api/tracks/:trackId/laps/:lapId/flags',
    access: 'signed_in',
    // Most of these calls may be refused while the driver corrects the input.
    limit: 30,
    summary:
      'Flags a ranking lap: moderators review it, and its driver sees the reason. It continues to rank.',
    params: lapParams,
    body: z.object({ reason: z.enum(FLAG_REASONS), sentence: sentenceSchema }),
    response: done,
    errors: {
      not_allowed: 'The lap is an own one.',
      conflict: 'The caller has flagged it already.',
      too_many_requests: `More than ${FLAG_LIMITS.perDayMax} flags in 24 hours.`,
    },
  }),
  ofLap: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/laps/:lapId/flags',
    access: 'signed_in',
    summary: 'Returns the flags of an own lap, and the decisions on them.',
    params: lapParams,
    response: lapFlagsSchema,
    errors: { not_allowed: 'The lap is not an own one.' },
  }),
  appeal: endpoint({
    method: 'POST',
    path: '/api/tracks/:trackId/laps/:lapId/appeal',
    access: 'signed_in',
    // Most of these calls may be refused while the driver corrects the input.
    limit: 30,
    summary: 'Appeals once against the rejection of an own lap; another moderator decides.',
    params: lapParams,
    body: z.object({ sentence: sentenceSchema }),
    response: done,
    errors: {
      not_allowed: 'The lap is not an own one.',
      conflict: 'The lap is not rejected, or there was an appeal.',
    },
  }),
  queue: endpoint({
    method: 'GET',
    path: '/api/admin/flagged-laps',
    access: 'moderator',
    summary: `Laps with open flags, ${FLAG_LIMITS.queueMax} at most.`,
    query: z.object({
      order: z.enum(['age', 'position']).optional().meta({
        description:
          'The laps with the oldest flag first, which is the default, or the laps that are first on their board.',
      }),
    }),
    response: z.array(flaggedLapSchema),
  }),
  decide: endpoint({
    method: 'POST',
    path: decidedPath,
    access: 'moderator',
    audit: ['keep-lap', 'reject-lap'],
    summary: 'Decides on the open flags of a lap: keeps it, or rejects it for a reason that its driver sees.',
    params: lapParams,
    body: z
      .object({
        verdict: z.enum(['keep', 'reject']),
        reason: sentenceSchema.nullable(),
        wholeSession: z.boolean().optional().meta({
          description:
            'Decides on the other flagged laps of the session as well: those that rank with one that ranks, those under appeal with one under appeal.',
        }),
      })
      .refine(({ verdict, reason }) => verdict === 'keep' || reason !== null, {
        path: ['reason'],
        message: 'A rejection needs a reason.',
      }),
    response: done.extend({ lapIds: z.array(lapIdSchema).meta({ description: 'The laps decided on.' }) }),
    errors: { not_allowed: CONFLICT_OF_INTEREST, conflict: 'The lap has no open flag.' },
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/admin/tracks/:trackId/laps/:lapId/question',
    access: 'moderator',
    limit: 30,
    audit: 'ask-driver',
    summary: 'Asks the driver of a flagged lap, who sees the question with the lap and gets a notice.',
    params: lapParams,
    body: z.object({ question: sentenceSchema }),
    response: done,
    errors: {
      not_allowed: CONFLICT_OF_INTEREST,
      conflict: 'The lap has no open flag, or an earlier question is not answered yet.',
    },
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/tracks/:trackId/laps/:lapId/answer',
    access: 'signed_in',
    limit: 30,
    summary: 'Answers a question of a moderator about an own lap.',
    params: lapParams,
    body: z.object({ answer: sentenceSchema }),
    response: done,
    errors: { not_found: 'There is no such own lap.', conflict: 'There is no open question.' },
  }),
  lapFile: endpoint({
    method: 'GET',
    path: '/api/admin/tracks/:trackId/laps/:lapId/lap-file',
    access: 'moderator',
    limit: 30,
    summary: 'The raw lap file of a flagged lap, as long as a flag of somebody else is open.',
    params: lapParams,
    response: 'application/octet-stream',
    errors: { conflict: 'The lap has no open flag of somebody else.' },
  }),
  grantOfficial: endpoint({
    method: 'PUT',
    path: '/api/admin/tracks/:trackId/laps/:lapId/official',
    access: 'moderator',
    audit: 'grant-official',
    summary: 'Confirms a lap from a published result, and says where that is.',
    params: lapParams,
    body: z.object({ source: sentenceSchema }),
    response: done,
    errors: { not_allowed: 'The lap is an own one.' },
  }),
  revokeOfficial: endpoint({
    method: 'DELETE',
    path: '/api/admin/tracks/:trackId/laps/:lapId/official',
    access: 'moderator',
    audit: 'revoke-official',
    summary: 'Takes back that a lap is confirmed.',
    params: lapParams,
    response: done,
    errors: { not_allowed: 'The lap is an own one.', conflict: 'The lap is not confirmed.' },
  }),
  checks: endpoint({
    method: 'GET',
    path: '/api/tracks/:trackId/checks',
    access: 'public',
    summary: 'How many laps of a track were checked, and how long the oldest open flag has waited.',
    params: z.object({ trackId: trackIdSchema }),
    response: z.object({
      checkedLapCount: nonnegativeInt.meta({
        description: 'Ranking laps of sessions whose best lap was checked.',
      }),
      openFlagDays: z
        .int()
        .nonnegative()
        .nullable()
        .meta({ description: 'Whole days since the oldest open flag; null where none is open.' }),
    }),
    errors: { not_found: 'There is no such track.' },
  }),
  undo: endpoint({
    method: 'DELETE',
    path: decidedPath,
    access: 'moderator',
    audit: 'undo-decision',
    summary: 'Undoes the latest decision on a lap: its flags are open again.',
    params: lapParams,
    response: done,
    errors: { not_allowed: CONFLICT_OF_INTEREST, conflict: 'There is no decision to undo.' },
  }),
};
