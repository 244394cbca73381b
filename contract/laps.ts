import { z } from 'zod';
import type { LapStatus } from '#engine/laps.ts';
import { endpoint } from './endpoint.ts';
import { TIME_PERIODS, TIRE_COMPOUNDS, type ToldReason } from './lap-words.ts';
import { LIMITS } from './limits.ts';
import { trackIdSchema } from './tracks.ts';

export const tireCompoundSchema = z.enum(TIRE_COMPOUNDS);

export const timePeriodSchema = z.enum(TIME_PERIODS);

const LAP_STATUSES = ['valid', 'warning', 'rejected', 'incomplete'] as const satisfies readonly LapStatus[];

const lapReasonSchema = z.enum([
  'gap_in_data',
  'impossible_jump',
  'wrong_direction',
  'too_short',
  'too_long',
  'off_track',
  'impossible_speed',
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
  'recorded_before',
]) satisfies z.ZodType<ToldReason>;

/** A timed lap, as a driver sees it before and after an upload. */
export const timedLapSchema = z.object({
  number: z.int().positive(),
  lapTimeMs: z.int().positive(),
  uncertaintyMs: z.int().nonnegative(),
  status: z.enum(LAP_STATUSES),
  reasons: z.array(lapReasonSchema),
  sectorTimesMs: z.array(z.int().nullable()),
});

export type TimedLap = z.infer<typeof timedLapSchema>;

/** A row of a board: a driver's best ranking lap under the filters. */
export const lapRecordSchema = z.object({
  lapId: z.string(),
  userName: z.string(),
  userAvatar: z.string().nullable(),
  carMake: z.string().nullable(),
  carModel: z.string().nullable(),
  carVariant: z.string().nullable(),
  carGeneration: z.string().nullable(),
  carRaceClass: z.string().nullable(),
  carDrivetrain: z.string().nullable(),
  tireCompound: tireCompoundSchema.nullable(),
  lapTimeMs: z.int().positive(),
  /** ISO 8601 with the track's own offset from UTC at that moment. */
  sessionDate: z.string(),
  videoUrl: z.string().optional(),
  /** Equal times share a rank: 1, 1, 3. */
  rank: z.int().positive(),
  driverId: z.string(),
  /** Behind the first of the same board. */
  gapMs: z.int().nonnegative(),
  uncertaintyMs: z.int().nonnegative(),
});

export type LapRecord = z.infer<typeof lapRecordSchema>;

/** What a board can be filtered by; a filter that is absent or empty does not filter. */
export const boardFilterSchema = z.object({
  timePeriod: z.union([timePeriodSchema, z.literal('')]).optional(),
  make: z.string().optional(),
  modelFamily: z.string().optional(),
  variant: z.string().optional(),
  generation: z.string().optional(),
  raceClass: z.string().optional(),
  drivetrain: z.string().optional(),
  tire: z.union([tireCompoundSchema, z.literal('')]).optional(),
});

export type BoardFilter = z.infer<typeof boardFilterSchema>;

const boardParams = z.object({ trackId: trackIdSchema });
const userParams = z.object({ userId: z.uuid() });

export const lapEndpoints = {
  best: endpoint({
    method: 'GET',
    path: '/api/laps/track/:trackId/best',
    access: 'public',
    summary:
      'The board of a track: the best ranking lap of every driver, fastest first. Filters choose among all laps before the best is taken.',
    params: boardParams,
    query: boardFilterSchema.extend({
      limit: z.coerce.number().int().min(1).max(LIMITS.boardPageEntriesMax).optional(),
      offset: z.coerce.number().int().min(0).optional(),
      includeOwn: z.enum(['true', 'false']).optional(),
    }),
    response: z.array(lapRecordSchema),
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/laps/track/:trackId/summary',
    access: 'public',
    summary: 'How many ranking laps and drivers a board has under the same filters.',
    params: boardParams,
    query: boardFilterSchema,
    response: z.object({ totalLaps: z.int(), racers: z.int() }),
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
        z.object({ trackId: z.string(), trackName: z.string(), lapTime: z.int(), uploadDate: z.string() }),
      ),
    ),
  }),
  byTrack: endpoint({
    method: 'GET',
    path: '/api/laps/user/:userId/by-track',
    access: 'signed_in',
    summary: "A driver's best ranking lap on each track, beside the track record; times in milliseconds.",
    params: userParams,
    response: z.record(
      z.string(),
      z.object({
        yourBestLap: z.int(),
        yourBestLapDate: z.string(),
        topLap: z.int(),
        lapCount: z.int(),
      }),
    ),
  }),
  totalCount: endpoint({
    method: 'GET',
    path: '/api/laps/user/:userId/total-count',
    access: 'signed_in',
    summary: 'How many laps a driver has that rank.',
    params: userParams,
    response: z.object({ totalLaps: z.int() }),
  }),
};
