import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { trackIdSchema, userCarIdSchema } from '#contract/ids.ts';
import { INVISIBLE_CHARACTERS, VISIBLE_NAME } from '#contract/names.ts';
import { trackSchema } from '#contract/tracks/schemas.ts';
import { nonnegativeInt, nullableText, positiveInt } from '#contract/values.ts';
import { liveCodeSchema } from './code.ts';
import { LIVE_LIMITS, LIVE_STATES, LIVE_VISIBILITIES } from './labels.ts';

export { liveCodeSchema, type LiveCode } from './code.ts';

const timeMs = nonnegativeInt.meta({ description: 'In milliseconds.', examples: [37_388] });

const moment = z.number().meta({ description: 'Milliseconds since 1970, UTC.' });

/** One driver of a live session, as those who watch see them. */
export const liveDriverSchema = z.object({
  number: positiveInt.meta({ description: 'Stays the same during the session.', examples: [3] }),
  name: z.string().meta({ examples: ['Ana Lima'] }),
  car: nullableText.meta({ examples: ['Mazda MX-5'] }),
  showsLine: z
    .boolean()
    .meta({ description: 'False where the driver keeps lines private: no positions come.' }),
  state: z.enum(LIVE_STATES),
  stateSince: moment,
  seenAt: moment.nullable().meta({ description: 'When the last fixes came; null before the first.' }),
  lap: z
    .int()
    .positive()
    .nullable()
    .meta({ description: 'The running lap; null before the first crossing.' }),
  sectors: z
    .array(timeMs.nullable())
    .meta({ description: 'Those of the running lap; in the pits, those of the last one.' }),
  sectorStartedAt: moment.nullable().meta({ description: 'When the running sector began.' }),
  lastMs: timeMs.nullable(),
  bestMs: timeMs.nullable(),
  bestSectors: z.array(timeMs.nullable()),
  isLastBest: z.boolean().meta({ description: 'The last lap is the best one.' }),
  highlight: z
    .object({
      at: moment,
      sector: nonnegativeInt.nullable().meta({ description: 'From 0; null for a lap.' }),
      timeMs,
      gainMs: timeMs.nullable().meta({ description: 'Null for the first time.' }),
    })
    .nullable()
    .meta({ description: 'The last lap or sector that was the best of the driver.' }),
});

export type LiveDriver = z.infer<typeof liveDriverSchema>;

export const liveSessionSchema = z.object({
  code: liveCodeSchema,
  title: nullableText,
  visibility: z.enum(LIVE_VISIBILITIES),
  startedAt: moment,
  track: trackSchema.pick({
    id: true,
    name: true,
    location: true,
    configuration: true,
    startFinishLine: true,
    finishLine: true,
    sectors: true,
    outline: true,
    timeZone: true,
  }),
});

export type LiveSession = z.infer<typeof liveSessionSchema>;

export const liveStateSchema = z.object({
  session: liveSessionSchema,
  drivers: z.array(liveDriverSchema),
  positions: z
    .array(z.tuple([z.int(), z.number(), z.number()]))
    .meta({ description: 'Number, latitude and longitude of each driver on a lap who shows lines.' }),
  /** The clock of the server, against which `seenAt` is read. */
  now: moment,
});

export type LiveStateAnswer = z.infer<typeof liveStateSchema>;

/** Describes one event `live` of the stream: the session and all drivers at first, then the drivers that have changed or left. */
export type LiveUpdate = {
  session?: LiveSession;
  drivers: LiveDriver[];
  gone: number[];
  now: number;
  /** Comes where a page asks instead of listening. */
  positions?: LiveStateAnswer['positions'];
};

/** The driver's number, and where the driver is, if that is shown. */
export type LiveMove = [number: number] | [number: number, lat: number, lon: number];

/** The fix of a receiver: milliseconds since 1970 UTC, degrees, metres per second, metres. */
const fixSchema = z.tuple([
  z.number().min(0).max(1e14),
  z.number().min(-90).max(90),
  z.number().min(-180).max(180),
  z.number().min(0).max(LIVE_LIMITS.speedMaxMetersPerSecond).nullable(),
  z.number().min(0).max(LIVE_LIMITS.accuracyMaxMeters).nullable(),
]);

export type LiveFix = z.infer<typeof fixSchema>;

const sharingIdSchema = z.uuid().brand<'SharingId'>();

export type SharingId = z.infer<typeof sharingIdSchema>;

const sharingSchema = z.object({
  sharingId: sharingIdSchema,
  code: liveCodeSchema,
  url: z.string().meta({ examples: ['https://pitboard.example/live/k7mq2fwd9xtb'] }),
  trackId: trackIdSchema,
  title: nullableText,
  visibility: z.enum(LIVE_VISIBILITIES),
  showsLine: z.boolean(),
});

export type LiveSharing = z.infer<typeof sharingSchema>;

const NO_SESSION = { not_found: 'There is no such live session: it has ended, or never was.' };

export const liveEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/live',
    access: 'public',
    // Home and every track page ask.
    limit: 600,
    summary: 'Lists the live sessions that are for everybody, latest first.',
    query: z.object({ trackId: trackIdSchema.optional() }),
    response: z.object({
      sessions: z.array(
        z.object({
          code: liveCodeSchema,
          title: nullableText,
          trackId: trackIdSchema,
          trackName: z.string(),
          driverCount: z.int(),
          startedAt: moment,
        }),
      ),
    }),
  }),
  state: endpoint({
    method: 'GET',
    path: '/api/live/:code',
    access: 'public',
    // All who watch behind one address ask every few seconds where streams fail.
    limit: 3_000,
    summary: 'A live session with its drivers, as of now. `GET /api/stream?live=…` sends what changes.',
    params: z.object({ code: liveCodeSchema }),
    response: liveStateSchema,
    errors: NO_SESSION,
  }),
  qrCode: endpoint({
    method: 'GET',
    path: '/api/live/:code/qr-code.svg',
    access: 'public',
    limit: 60,
    summary: 'A QR code of the page of a live session.',
    params: z.object({ code: liveCodeSchema }),
    response: 'image/svg+xml',
    errors: NO_SESSION,
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/live/:code/preview.png',
    access: 'public',
    limit: 120,
    summary:
      'The picture of a link to a live session, 1200 by 630 pixels: its title, the track, and the three fastest drivers so far.',
    params: z.object({ code: liveCodeSchema }),
    response: 'image/png',
    isTagged: true,
    errors: NO_SESSION,
  }),
  sharing: endpoint({
    method: 'GET',
    path: '/api/live/sharing',
    access: 'signed_in',
    summary: 'What the signed-in driver shares live now; null for nothing.',
    response: z.object({ sharing: sharingSchema.nullable() }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/live/sharing',
    access: 'signed_in',
    limit: 20,
    summary:
      'Starts to share live, for one session, and ends what the driver shared before. With `code` the driver joins that session; `everybody` joins the session of the day on that track if there is one; otherwise a session begins.',
    body: z.object({
      trackId: trackIdSchema,
      visibility: z.enum(LIVE_VISIBILITIES),
      code: liveCodeSchema.optional(),
      title: z
        .string()
        .trim()
        .max(LIVE_LIMITS.titleCharactersMax)
        .regex(VISIBLE_NAME, INVISIBLE_CHARACTERS)
        .optional(),
      userCarId: userCarIdSchema.optional().meta({ description: 'The car that is shown.' }),
    }),
    response: sharingSchema,
    errors: {
      ...NO_SESSION,
      conflict: 'The session is on another track or full, or the track has no start line.',
    },
  }),
  fixes: endpoint({
    method: 'POST',
    path: '/api/live/sharing/fixes',
    access: 'signed_in',
    limit: LIVE_LIMITS.batchesPerMinuteMax,
    summary:
      'Takes fixes of the driver, in order, twice a second. The server times them. A batch that came before changes nothing; fixes that are not later than the last ones, or too old, are left out.',
    body: z.object({
      sharingId: sharingIdSchema,
      fixes: z.array(fixSchema).min(1).max(LIVE_LIMITS.fixesPerBatchMax),
    }),
    response: z.object({
      taken: z.int().meta({ description: 'The fixes that were new.' }),
      lastFixAt: moment.nullable(),
    }),
    errors: {
      not_found: 'The sharing has ended: send no more.',
      invalid_input: 'The fixes are not in order, or of another time or place.',
    },
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/api/live/sharing',
    access: 'signed_in',
    summary:
      'Ends what the signed-in driver shares live, from whatever device. A session ends with its last driver.',
    response: z.object({ ended: z.boolean() }),
  }),
};
