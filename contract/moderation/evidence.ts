import { z } from 'zod';
import { lapIdSchema, trackIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { lapParams } from '#contract/lap-view/schemas.ts';
import { pageQuery } from '#contract/lists.ts';
import { nullableNumber, nullableText } from '#contract/values.ts';
import { CURVES, GROUPS_OF_LAPS, MEANT_LAPS } from './labels.ts';
import { decisionSchema, flagReasonSchema, lapTime } from './schemas.ts';

const degrees = z.array(z.number());
const pathSchema = z.object({ lats: degrees, lons: degrees });
const column = z.array(nullableNumber);

const curveSchema = z.object({
  quantity: z.enum(CURVES).meta({
    description:
      'What is measured along the lap: `cornering` and `braking` in g, `power` in W/kg, `speed` in km/h; `outline` is the distance of the lap from the outline of its track in metres, along the outline.',
  }),
  limit: z.number().meta({ examples: [1.45] }),
  othersMost: nullableNumber.meta({
    description:
      'The most of any other driver on such tires, or in such a car; null where that is not known.',
    examples: [1.38],
  }),
  meters: z.array(z.number()).meta({ description: 'The stations, at equal distances.' }),
  values: column.meta({ description: 'The quantity at each station; null where it is not known.' }),
  speedsKmh: column.nullable(),
  others: z
    .object({ count: z.int(), low: column, high: column })
    .nullable()
    .meta({ description: 'Between what values some other laps are at the same share of their way.' }),
  held: z
    .object({
      from: z.int(),
      to: z.int(),
      value: z.number(),
      seconds: nullableNumber.meta({ description: 'How long it lasts; null along an outline.' }),
      atMeters: z.number(),
      speedKmh: nullableNumber,
      cornerNumber: z.int().nullable(),
    })
    .nullable()
    .meta({ description: 'The stretch that the flag means, by the indexes of its stations.' }),
});

const groupSchema = z.object({
  scope: z.enum(GROUPS_OF_LAPS),
  limitMs: z
    .int()
    .nullable()
    .meta({ description: 'The check doubts a lap below this lap time; null for a group without a limit.' }),
  timesMs: z.array(z.int()).meta({ description: 'The lap times of the group, fastest first.' }),
});

const meantLapSchema = z.object({
  role: z.enum(MEANT_LAPS),
  lapId: lapIdSchema,
  lapTimeMs: lapTime,
  userName: z.string(),
  sessionDate: z.string(),
  figure: nullableNumber.meta({ description: 'What it reaches of the quantity of the curve.' }),
});

const evidenceSchema = z.object({
  reason: flagReasonSchema,
  curve: curveSchema.nullable(),
  groups: z.array(groupSchema),
  path: pathSchema.nullable().meta({ description: 'The way of the lap; null where its file is gone.' }),
  place: pathSchema
    .nullable()
    .meta({ description: 'The part of the way, or of the outline, that is meant.' }),
  closeUp: z
    .object({ fixesPerSecond: nullableNumber, lap: pathSchema, others: z.array(pathSchema) })
    .nullable()
    .meta({ description: 'The fixes of the lap around the place, and the ways of others there.' }),
  laps: z.array(meantLapSchema).meta({ description: 'The laps that the reason compares with.' }),
});

export type LapEvidenceOfFlag = z.infer<typeof evidenceSchema>;
export type EvidenceCurve = z.infer<typeof curveSchema>;

const decidedLapSchema = decisionSchema.extend({
  trackId: trackIdSchema,
  trackName: z.string(),
  lapId: lapIdSchema,
  lapTimeMs: lapTime,
  userName: z.string(),
  decidedByName: nullableText.meta({ description: 'Null where the account is gone.' }),
  isOwnDecision: z.boolean(),
  whyNot: nullableText.meta({
    description: 'Why the caller may not undo the decision; null where they may.',
  }),
});

export type DecidedLap = z.infer<typeof decidedLapSchema>;

const count = z.int().nonnegative();
const since = nullableText;

const waitingSchema = z.object({
  flags: count.meta({
    description: 'Laps with open flags, without an appeal, that the caller may decide on.',
    examples: [3],
  }),
  appeals: count.meta({
    description: 'Laps with an open appeal that the caller may decide on.',
    examples: [1],
  }),
  tracks: count.meta({ description: 'Proposed tracks.', examples: [2] }),
  cars: count.meta({ description: 'Proposed cars; 0 for moderators.', examples: [1] }),
  since: z
    .object({ flags: since, appeals: since, tracks: since, cars: since })
    .meta({ description: 'Since when the oldest of each kind waits; null where none does.' }),
});

export type Waiting = z.infer<typeof waitingSchema>;

export const moderationEndpoints = {
  evidence: endpoint({
    method: 'GET',
    path: '/api/admin/tracks/:trackId/laps/:lapId/evidence',
    access: 'moderator',
    limit: 120,
    summary:
      'What a flag of a lap means: the measured quantity along the lap with its limit, the place, and the laps that the reason compares with. As long as a flag is open.',
    params: lapParams,
    query: z.object({
      reason: flagReasonSchema
        .optional()
        .meta({ description: 'The reason of the flag; without it, the oldest open flag.' }),
    }),
    response: evidenceSchema,
    errors: { conflict: 'The lap has no open flag.', not_found: 'There is no such lap, or no such flag.' },
  }),
  decidedLaps: endpoint({
    method: 'GET',
    path: '/api/admin/decided-laps',
    access: 'moderator',
    summary: 'The decisions in force on laps, one for each lap, latest first.',
    query: pageQuery.extend({
      lapIds: z
        .string()
        .transform((ids) => ids.split(','))
        .pipe(z.array(lapIdSchema).max(200))
        .optional()
        .meta({ description: 'Only the decisions on these laps, with commas between their ids.' }),
    }),
    response: z.object({ laps: z.array(decidedLapSchema), total: z.int() }),
  }),
  waiting: endpoint({
    method: 'GET',
    path: '/api/admin/waiting',
    access: 'moderator',
    summary: 'How much waits for a decision of the caller.',
    response: waitingSchema,
  }),
};
