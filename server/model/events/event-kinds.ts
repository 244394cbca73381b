import { z } from 'zod';
import { eventIdSchema, lapIdSchema, sessionIdSchema, trackIdSchema, userIdSchema } from '#contract/ids.ts';

const lapTimeMs = z.int().positive();
const rank = z.int().positive();

function kind<const Kind extends string, Payload extends z.ZodObject>(name: Kind, payload: Payload) {
  return z.object({
    kind: z.literal(name),
    userId: userIdSchema,
    otherUserId: userIdSchema.nullable(),
    /** The session of the lap that caused the event; the event is deleted with it. Null where it is deleted. */
    sessionId: sessionIdSchema.nullable(),
    payload,
  });
}

/** Holds an event with the payload of its kind. Ranks are those of the board of all times without filters. */
export const newEventSchema = z.discriminatedUnion('kind', [
  /** A driver has a new best lap on the track, or a first one that ranks. */
  kind(
    'personal_best',
    z.object({
      lapId: lapIdSchema,
      lapTimeMs,
      previousLapTimeMs: lapTimeMs.nullable(),
      rank,
      previousRank: rank.nullable(),
    }),
  ),
  /** A driver has a new record. The other user held the previous record, unless it was the same driver. */
  kind('record_set', z.object({ lapId: lapIdSchema, lapTimeMs, previousLapTimeMs: lapTimeMs.nullable() })),
  /** The other user is now ahead of the driver, by the lap `otherLapId`. */
  kind(
    'rank_lost',
    z.object({ lapTimeMs, rank, previousRank: rank, otherLapId: lapIdSchema, otherLapTimeMs: lapTimeMs }),
  ),
  /** The best lap of a driver was deleted or no longer counts; the next one is null where there is none. */
  kind('lap_removed', z.object({ lapId: lapIdSchema, lapTimeMs, nextLapTimeMs: lapTimeMs.nullable() })),
  /** The track that the driver proposed is official now. */
  kind('track_approved', z.object({ trackName: z.string() })),
  /** Somebody else corrected the track that the driver proposed. */
  kind('track_corrected', z.object({ trackName: z.string() })),
  /** The track that the driver proposed or drove was merged into another one, to which their laps have moved. */
  kind('track_merged', z.object({ trackName: z.string(), intoTrackName: z.string() })),
  /** A moderator decided on a flagged lap of the driver. */
  kind(
    'lap_decided',
    z.object({
      lapId: lapIdSchema,
      lapTimeMs,
      verdict: z.enum(['keep', 'reject']),
      reason: z.string().nullable(),
    }),
  ),
  /** A moderator asks the driver about a flagged lap. */
  kind('lap_questioned', z.object({ lapId: lapIdSchema, lapTimeMs, question: z.string() })),
  /** The other user has answered what the moderator asked. */
  kind('lap_answered', z.object({ lapId: lapIdSchema, lapTimeMs, answer: z.string() })),
]);

export type NewEvent = z.infer<typeof newEventSchema>;

export const storedEventSchema = newEventSchema.and(
  z.object({ trackId: trackIdSchema, id: eventIdSchema, createdAt: z.date() }),
);

export type StoredEvent = z.infer<typeof storedEventSchema>;
