import { z } from 'zod';
import {
  lapIdSchema,
  raceEventClassIdSchema,
  raceEventEntryIdSchema,
  raceEventIdSchema,
  raceEventRunIdSchema,
  trackIdSchema,
  userCarIdSchema,
  userIdSchema,
} from '#contract/ids.ts';
import { INVISIBLE_CHARACTERS, VISIBLE_NAME } from '#contract/names.ts';
import {
  givenDaySchema,
  momentSchema,
  nonnegativeInt,
  nullableNumber,
  nullableText,
  positiveInt,
} from '#contract/values.ts';
import {
  CLASS_LIMITS,
  ENTRY_LIMITS,
  EVENT_LIMITS,
  RACE_EVENT_STATES,
  RUN_LIMITS,
  RUN_STATUSES,
  TIE_RULES,
} from './labels.ts';

const DAY_MS = 86_400_000;

const dayMeta = { description: 'In the local time of the track.', examples: ['2026-06-07'] };
const daySchema = z.iso.date().meta(dayMeta);
const givenDay = givenDaySchema.meta(dayMeta);

export const shownText = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'Please fill this in.')
    .max(most, `Please write at most ${most} characters.`)
    .regex(VISIBLE_NAME, INVISIBLE_CHARACTERS);

const paragraphs = z
  .string()
  .trim()
  .max(
    EVENT_LIMITS.descriptionCharactersMax,
    `Please write at most ${EVENT_LIMITS.descriptionCharactersMax} characters.`,
  )
  .refine((text) => !/[^\P{C}\n\r\t]/u.test(text), INVISIBLE_CHARACTERS);

export const stateSchema = z.enum(RACE_EVENT_STATES);

const courseSchema = z.object({
  number: positiveInt,
  trackId: trackIdSchema,
  name: z.string().meta({ examples: ['Lydden Hill Rallycross'] }),
});

export const listedSchema = z.object({
  id: raceEventIdSchema,
  name: z.string().meta({ examples: ['Spring Sprint'] }),
  firstDay: daySchema,
  lastDay: daySchema,
  state: stateSchema,
  provisionalUntil: momentSchema.nullable().meta({ description: 'The results become official then.' }),
  courses: z.array(courseSchema),
  entryCount: nonnegativeInt.meta({ description: 'Without those that were withdrawn.' }),
});

export type ListedRaceEvent = z.infer<typeof listedSchema>;

const penaltyMs = z
  .int()
  .min(0)
  .max(EVENT_LIMITS.penaltyMsMax)
  .meta({ examples: [2_000] });
const runCount = z.int().min(1).max(RUN_LIMITS.runsPerEntryMax).nullable();

/** Holds what decides the results, besides the runs. */
export const settingsSchema = z.object({
  firstRuns: runCount.meta({ description: 'Only so many first runs on each course count; null: all.' }),
  countedRuns: runCount.meta({
    description:
      'The best so many of them are added; 1: the best one; null: every one, and all must be timed.',
  }),
  conePenaltyMs: penaltyMs,
  gatePenaltyMs: penaltyMs,
  tieRule: z.enum(TIE_RULES).meta({
    description: 'Totals closer than their ± share a place, or the faster figure decides.',
  }),
  takesLaps: z.boolean().meta({ description: 'Laps of uploaded lap files of these days are runs.' }),
  protestMinutes: z.int().min(0).max(EVENT_LIMITS.protestMinutesMax),
});

export const classSchema = z.object({
  id: raceEventClassIdSchema,
  name: z.string().meta({ examples: ['Street'] }),
  indexFactor: nullableNumber.meta({ description: 'Totals are multiplied by it.', examples: [0.822] }),
});

export const entrySchema = z.object({
  id: raceEventEntryIdSchema,
  classId: raceEventClassIdSchema,
  userId: userIdSchema.nullable(),
  driverName: z.string(),
  userCarId: userCarIdSchema.nullable(),
  carName: nullableText,
  number: z.string().meta({ examples: ['27'] }),
  group: nullableText,
  withdrawnAt: momentSchema.nullable(),
});

export const runSchema = z.object({
  id: raceEventRunIdSchema
    .nullable()
    .meta({ description: 'Null for a lap that nothing was recorded about.' }),
  entryId: raceEventEntryIdSchema,
  courseNumber: positiveInt,
  runNumber: positiveInt,
  lap: z
    .object({ trackId: trackIdSchema, lapId: lapIdSchema })
    .nullable()
    .meta({ description: 'The lap of a lap file; null for a time that was typed.' }),
  timeMs: nullableNumber.meta({ description: 'Without penalties.', examples: [64_123] }),
  uncertaintyMs: nullableNumber.meta({ description: 'The ± of a lap; null for a time that was typed.' }),
  cones: nonnegativeInt,
  gates: nonnegativeInt,
  status: z.enum(RUN_STATUSES),
  reason: nullableText,
  recordedBy: nullableText.meta({ description: 'The name of who recorded it last.' }),
  recordedAt: momentSchema.nullable(),
  counts: z.boolean().meta({ description: 'It is part of the total.' }),
});

export const resultRowSchema = z.object({
  entryId: raceEventEntryIdSchema,
  place: nullableNumber.meta({ description: 'Null without a total.' }),
  totalMs: nullableNumber,
  uncertaintyMs: nullableNumber,
  gapMs: nullableNumber.meta({ description: 'To the first.' }),
  isWithin: z.boolean().meta({ description: 'The difference to a neighbour is smaller than both ±.' }),
});

export const resultsSchema = z.object({
  classes: z.array(z.object({ classId: raceEventClassIdSchema, rows: z.array(resultRowSchema) })),
  overall: z
    .array(resultRowSchema)
    .nullable()
    .meta({ description: 'Null where some classes have an index and others have none.' }),
});

export const raceEventSchema = listedSchema.omit({ entryCount: true }).extend({
  description: z.string(),
  officialAt: momentSchema.nullable(),
  settings: settingsSchema,
  classes: z.array(classSchema),
  entries: z.array(entrySchema),
  runs: z.array(runSchema),
  results: resultsSchema,
  mayOrganise: z.boolean(),
  ownEntryId: raceEventEntryIdSchema.nullable(),
});

export type RaceEvent = z.infer<typeof raceEventSchema>;

export type RaceEventRun = z.infer<typeof runSchema>;

const classBody = z.object({
  id: raceEventClassIdSchema.optional().meta({ description: 'Of a class that stays; a new one has none.' }),
  name: shownText(CLASS_LIMITS.nameCharactersMax),
  indexFactor: z
    .number()
    .min(CLASS_LIMITS.indexMin)
    .max(CLASS_LIMITS.indexMax)
    .refine((factor) => Math.abs(factor * 1e4 - Math.round(factor * 1e4)) < 1e-6, 'At most four decimals.')
    .nullable(),
});

const isUnique = (texts: readonly string[]) => new Set(texts).size === texts.length;

export const eventBody = settingsSchema
  .extend({
    name: shownText(EVENT_LIMITS.nameCharactersMax),
    description: paragraphs,
    firstDay: givenDay,
    lastDay: givenDay,
    courses: z
      .array(z.object({ trackId: trackIdSchema }))
      .min(1)
      .max(EVENT_LIMITS.coursesMax),
    classes: z.array(classBody).min(1).max(CLASS_LIMITS.classesMax),
  })
  .refine(
    ({ firstDay, lastDay }) => {
      const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
      return days >= 1 && days <= EVENT_LIMITS.daysMax;
    },
    { path: ['lastDay'], message: `An event lasts 1 to ${EVENT_LIMITS.daysMax} days.` },
  )
  .refine(({ classes }) => isUnique(classes.map(({ name }) => name.toLowerCase())), {
    path: ['classes'],
    message: 'Two classes have the same name.',
  })
  .refine(({ courses }) => isUnique(courses.map(({ trackId }) => trackId)), {
    path: ['courses'],
    message: 'A track is there twice.',
  })
  .refine(
    ({ firstRuns, countedRuns }) => firstRuns === null || countedRuns === null || countedRuns <= firstRuns,
    { path: ['countedRuns'], message: 'More runs cannot count than there are.' },
  );

export type RaceEventInput = z.output<typeof eventBody>;

export const entryBody = z.object({
  classId: raceEventClassIdSchema,
  number: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[0-9A-Z]{1,4}$/, `A number has 1 to ${ENTRY_LIMITS.numberCharactersMax} digits or letters.`),
  group: shownText(ENTRY_LIMITS.groupCharactersMax).nullable(),
  userCarId: userCarIdSchema.nullable().optional().meta({ description: "A car of the driver's garage." }),
  carName: shownText(ENTRY_LIMITS.carCharactersMax)
    .nullable()
    .optional()
    .meta({ description: 'For a car that is in no garage.' }),
});

export const newEntryBody = entryBody.extend({
  userId: userIdSchema.optional().meta({ description: 'Another person; the caller by default.' }),
  driverName: shownText(ENTRY_LIMITS.nameCharactersMax)
    .optional()
    .meta({ description: 'For a driver without an account.' }),
});

export type EntryInput = z.output<typeof entryBody>;

export type NewEntryInput = z.output<typeof newEntryBody>;

const penalties = z.int().min(0).max(RUN_LIMITS.penaltiesMax);

export const runBody = z.object({
  timeMs: z
    .int()
    .min(RUN_LIMITS.timeMsMin)
    .max(RUN_LIMITS.timeMsMax)
    .nullable()
    .meta({ description: 'Null for a lap, which has its own time, and for a run that was not timed.' }),
  cones: penalties,
  gates: penalties,
  status: z.enum(RUN_STATUSES),
  reason: shownText(RUN_LIMITS.reasonCharactersMax).nullable(),
});

export type RunInput = z.output<typeof runBody>;
