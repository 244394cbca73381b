import { z } from 'zod';
import { lapIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';
import type { LapStatus } from '#engine/timing/laps.ts';
import { endpoint } from '#contract/endpoint.ts';
import { nonnegativeInt, nullableText, positiveInt } from '#contract/values.ts';
import { TIRE_COMPOUNDS, type LapReason } from './labels.ts';
import { boardFilterSchema, filterOptionsSchema } from '#contract/boards/filter.ts';
import { LIMITS } from '#contract/limits.ts';

export const tireCompoundSchema = z.enum(TIRE_COMPOUNDS);

const LAP_STATUSES = [
  'valid',
  'warning',
  'simulated',
  'rejected',
  'incomplete',
] as const satisfies readonly LapStatus[];

const lapReasonSchema = z.enum([
  'gap_in_data',
  'impossible_jump',
  'wrong_direction',
  'too_short',
  'too_long',
  'off_track',
  'impossible_speed',
  'slow_for_track',
  'impossible_acceleration',
  'speeds_disagree',
  'filled_in',
  'repeated_positions',
  'clock_changed',
  'odd_clock',
  'coarse_time_stamps',
  'timed_by_logger',
  'out_lap',
  'in_lap',
  'simulated',
  'sample',
  'recorded_before',
  'left_out',
  'rejected_by_moderator',
  'ranked_by_moderator',
]) satisfies z.ZodType<LapReason>;

const lapTimeSchema = positiveInt.meta({ description: 'Whole milliseconds.', examples: [44_986] });

const uncertaintySchema = nonnegativeInt.meta({
  description: 'Half of the 95 % interval of the lap time, rounded up.',
  examples: [12],
});

/** A timed lap, as a driver sees it before and after an upload. */
export const timedLapSchema = z.object({
  number: positiveInt.meta({ description: 'In the file, from 1.' }),
  lapTimeMs: lapTimeSchema,
  uncertaintyMs: uncertaintySchema,
  status: z.enum(LAP_STATUSES).meta({
    description:
      'Only laps that are `valid` or have a `warning` rank. `simulated` laps would, but were driven in a simulator: they rank on boards of their own.',
  }),
  reasons: z.array(lapReasonSchema).meta({ description: 'Why it does not count, or counts with a warning.' }),
  sectorTimesMs: z.array(z.int().nullable()).meta({
    description: 'Null for a sector whose line was not passed.',
    examples: [[15_210, 14_874, 14_902]],
  }),
});

export type TimedLap = z.infer<typeof timedLapSchema>;

export const sessionDateSchema = z.string().meta({
  description: "ISO 8601 with the track's own offset from UTC at that moment.",
  examples: ['2026-06-06T14:03:11+01:00'],
});

/** A row of a board: a driver's best ranking lap under the filters. */
export const lapRecordSchema = z.object({
  lapId: lapIdSchema,
  userName: z
    .string()
    .meta({ description: 'The display name, else first and last name joined.', examples: ['Ana Lima'] }),
  userAvatar: nullableText.meta({ examples: ['/api/images/0b6f3c52-7a54-4a5e-8f0e-6b1c2d3e4f50'] }),
  carMake: nullableText.meta({ examples: ['Mazda'] }),
  carModel: nullableText.meta({ description: 'The model family.', examples: ['MX-5'] }),
  carVariant: nullableText.meta({ examples: ['1.8'] }),
  carGeneration: nullableText.meta({ examples: ['NB'] }),
  carRaceClass: nullableText.meta({ examples: ['Roadster'] }),
  carDrivetrain: nullableText.meta({ examples: ['RWD'] }),
  tireCompound: tireCompoundSchema.nullable(),
  lapTimeMs: lapTimeSchema,
  sessionDate: sessionDateSchema,
  videoUrl: z
    .string()
    .optional()
    .meta({ examples: ['https://video.example/lap'] }),
  rank: positiveInt.meta({ description: 'Equal times share a rank: 1, 1, 3.' }),
  driverId: userIdSchema.meta({ examples: ['7d3f2a10-5b1c-4f7e-9a66-2f0c8e4b1d90'] }),
  gapMs: nonnegativeInt.meta({ description: 'Behind the first of the same board.', examples: [0] }),
  uncertaintyMs: uncertaintySchema,
});

export type LapRecord = z.infer<typeof lapRecordSchema>;

export const recordSectorSchema = z.object({
  timeMs: z
    .int()
    .nullable()
    .meta({ description: 'Null where its line was not passed.', examples: [15_210] }),
  isFastest: z.boolean().meta({ description: 'True if no ranking lap of any driver was faster through it.' }),
  isDriversBest: z
    .boolean()
    .meta({ description: 'No ranking lap of the same driver was faster through it.' }),
});

export type RecordSector = z.infer<typeof recordSectorSchema>;

export const boardParams = z.object({ trackId: trackIdSchema });
const userParams = z.object({ userId: userIdSchema });

const NO_SUCH_TRACK = { not_found: 'There is no such track.' };
const NO_SUCH_DRIVER = { not_found: 'There is no such driver.' };

export const lapEndpoints = {
  best: endpoint({
    method: 'GET',
    path: '/api/laps/track/:trackId/best',
    access: 'public',
    summary:
      'The board of a track: the best ranking lap of every driver, fastest first. Filters choose among all laps before the best is taken.',
    params: boardParams,
    query: boardFilterSchema.extend({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(LIMITS.boardPageEntriesMax)
        .optional()
        .meta({ description: 'Records of a page; without it, the whole board.', examples: [50] }),
      offset: z.coerce
        .number()
        .int()
        .min(0)
        .max(LIMITS.boardOffsetMax)
        .optional()
        .meta({ description: 'Records before the page.', examples: [0] }),
      includeOwn: z.enum(['true', 'false']).optional().meta({
        description: "Whether the signed-in driver's own record follows where it lies outside of the page.",
      }),
    }),
    response: z.array(lapRecordSchema),
    isTagged: true,
    errors: NO_SUCH_TRACK,
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/laps/track/:trackId/summary',
    access: 'public',
    summary: 'How many ranking laps and drivers a board has under the same filters.',
    params: boardParams,
    query: boardFilterSchema,
    response: z.object({
      totalLaps: z.int().meta({ description: 'Ranking laps.', examples: [57] }),
      racers: z.int().meta({ description: 'Different driver names.', examples: [12] }),
    }),
    isTagged: true,
    errors: NO_SUCH_TRACK,
  }),
  filterOptions: endpoint({
    method: 'GET',
    path: '/api/laps/track/:trackId/filter-options',
    access: 'public',
    summary:
      'Returns the options of each filter of a board under the others in use, with the number of drivers that each option leaves; 0 for cars of the library without laps.',
    params: boardParams,
    query: boardFilterSchema,
    response: filterOptionsSchema,
    isTagged: true,
    errors: NO_SUCH_TRACK,
  }),
  recordSectors: endpoint({
    method: 'GET',
    path: '/api/laps/track/:trackId/record-sectors',
    access: 'public',
    summary: "The sectors of a track's record; none without a record.",
    params: boardParams,
    response: z.array(recordSectorSchema),
    isTagged: true,
    errors: NO_SUCH_TRACK,
  }),
  tireCompounds: endpoint({
    method: 'GET',
    path: '/api/laps/tire-compounds',
    access: 'public',
    summary: 'The tyre categories.',
    response: z.array(tireCompoundSchema),
  }),
  byCar: endpoint({
    method: 'GET',
    path: '/api/laps/user/:userId/by-car',
    access: 'signed_in',
    summary: "A driver's best ranking lap on each track, by car of the garage.",
    params: userParams,
    response: z.record(
      z.string(),
      z.array(
        z.object({
          trackId: trackIdSchema,
          trackName: z.string().meta({ examples: ['Lydden Hill'] }),
          lapTime: lapTimeSchema,
          uploadDate: sessionDateSchema,
        }),
      ),
    ),
    errors: NO_SUCH_DRIVER,
  }),
  byTrack: endpoint({
    method: 'GET',
    path: '/api/laps/user/:userId/by-track',
    access: 'signed_in',
    summary:
      "Returns a driver's best ranking lap on each track, next to the track record; times in milliseconds.",
    params: userParams,
    response: z.record(
      z.string(),
      z.object({
        yourBestLap: lapTimeSchema,
        yourBestLapDate: sessionDateSchema,
        topLap: z
          .int()
          .meta({ description: 'The best of all drivers, in milliseconds.', examples: [43_870] }),
        isTopLap: z.boolean().meta({
          description: 'Whether `topLap` is this lap; of two equal laps, the earlier one is the best.',
        }),
        lapCount: z.int().meta({ description: "The driver's ranking laps on the track.", examples: [21] }),
      }),
    ),
    errors: NO_SUCH_DRIVER,
  }),
  totalCount: endpoint({
    method: 'GET',
    path: '/api/laps/user/:userId/total-count',
    access: 'signed_in',
    summary: 'How many laps a driver has that rank.',
    params: userParams,
    response: z.object({ totalLaps: z.int().meta({ examples: [57] }) }),
    errors: NO_SUCH_DRIVER,
  }),
};
