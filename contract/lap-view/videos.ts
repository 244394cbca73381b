import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { sessionIdSchema } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { nullableText } from '#contract/values.ts';
import { LINE_ERRORS, lapParams } from './schemas.ts';

/** Names a video without its place: a file by its size and the hash of its first and last megabyte, or a public player's own id. */
export const videoKeySchema = z
  .string()
  .regex(
    /^(?:file:[1-9]\d{0,13}:[0-9a-f]{64}|youtube:[\w-]{11}|vimeo:[1-9]\d{0,11})$/,
    'This is no key of a video.',
  )
  .meta({ examples: ['youtube:M7lc1UVf-VE'] });

const anchorSchema = z.strictObject({
  videoSeconds: z
    .number()
    .min(-LIMITS.videoSecondsMax)
    .max(LIMITS.videoSecondsMax)
    .meta({
      description: 'Seconds since the beginning of the video; below zero before it.',
      examples: [95.2],
    }),
  timeMs: z.number().meta({
    description: 'What it shows: milliseconds since 1970, on the clock of the lap file.',
    examples: [1_749_218_591_040],
  }),
});

const videoSchema = z.object({
  key: videoKeySchema,
  anchors: z.array(anchorSchema).min(1).max(2),
});

export const lapVideosSchema = z.object({
  sessionId: sessionIdSchema,
  isOwn: z
    .boolean()
    .meta({ description: 'Whether the caller drove the lap, and so may set anchors for everybody.' }),
  mayProve: z.boolean().meta({
    description:
      'Whether the positions in a video may become evidence: the caller drove the lap, it ranks, a logger recorded it, and it has no `video-gps` yet.',
  }),
  lapStartMs: z.number().meta({
    description: 'When the lap began: milliseconds since 1970, on the clock of the lap file.',
    examples: [1_749_218_591_040],
  }),
  sessionStartMs: z.number().meta({
    description: 'The first position of the lap file, as `lapStartMs`.',
    examples: [1_749_218_500_000],
  }),
  utcOffsetMinutes: z
    .int()
    .meta({ description: 'How far clocks at the track are ahead of UTC.', examples: [120] }),
  videoUrl: nullableText.meta({ examples: ['https://youtu.be/M7lc1UVf-VE?t=95'] }),
  videos: z
    .array(videoSchema)
    .meta({ description: 'Videos that its driver has put in step with the session.' }),
});

export type LapVideos = z.infer<typeof lapVideosSchema>;

const column = z.array(z.number()).min(2).max(LIMITS.cameraPositionsMax);

/** Holds the positions that a camera recorded around one lap; its picture stays where it is. */
const cameraPositionsSchema = z
  .strictObject({
    camera: z
      .string()
      .regex(/^[\w .-]{1,40}$/, 'This is no name of a camera.')
      .meta({ examples: ['HERO9'] }),
    timesMs: column.meta({ description: 'UTC by its satellites, in milliseconds since 1970; rising.' }),
    lats: column.meta({ description: 'Degrees north, WGS 84.' }),
    lons: column.meta({ description: 'Degrees east.' }),
    speedsMetersPerSecond: column.meta({ description: 'Metres per second, as the camera measured it.' }),
  })
  .refine(
    ({ timesMs, ...columns }) =>
      [columns.lats, columns.lons, columns.speedsMetersPerSecond].every(
        ({ length }) => length === timesMs.length,
      ),
    'All columns must be equally long.',
  )
  .refine(
    ({ timesMs }) => timesMs.every((timeMs, index) => index === 0 || timeMs > (timesMs[index - 1] ?? 0)),
    'The times must rise.',
  );

export type SentCameraPositions = z.infer<typeof cameraPositionsSchema>;

export const videoEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/lap-videos/:trackId/:lapId',
    access: 'public',
    limit: 240,
    summary:
      'What puts a video in step with a lap: when the lap began, and the anchors that its driver has set. No video is stored.',
    params: lapParams,
    response: lapVideosSchema,
    errors: LINE_ERRORS,
  }),
  prove: endpoint({
    method: 'POST',
    path: '/api/lap-videos/:trackId/:lapId/evidence',
    access: 'signed_in',
    limit: 20,
    summary:
      'Compares the positions in a video that the driver of a lap has opened with the lap itself. Where they agree along the whole lap, it gets the evidence `video-gps`, which says that its driver opened the video.',
    params: lapParams,
    body: cameraPositionsSchema,
    response: z.object({
      agrees: z.boolean(),
      sentence: z.string().meta({
        description: 'What does not agree, or that it does.',
        examples: ['The camera covers 61 % of the lap.'],
      }),
    }),
    errors: {
      not_found: LINE_ERRORS.not_found,
      not_allowed: 'The lap is not yours, or the call came from another site.',
      conflict: 'The lap does not rank, or was timed from the positions of a camera.',
    },
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/lap-videos/:trackId/:lapId',
    access: 'signed_in',
    limit: 60,
    summary:
      'Stores which moments of a video show which moments of the session of an own lap: one anchor sets the offset, two also the drift. Without anchors the video is forgotten.',
    params: lapParams,
    body: z.object({ key: videoKeySchema, anchors: z.array(anchorSchema).max(2) }),
    response: z.object({ saved: z.literal(true) }),
    errors: {
      not_found: LINE_ERRORS.not_found,
      not_allowed: 'The lap is not yours, or the call came from another site.',
      conflict: `The session has ${LIMITS.videosPerSessionMax} videos already.`,
    },
  }),
};
