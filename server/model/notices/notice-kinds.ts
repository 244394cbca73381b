import { z } from 'zod';
import type { EventId, LapId, TrackId, UserId } from '#contract/ids.ts';

/** Names the changes of a user's sign-in methods. */
export const signInChangeSchema = z.enum([
  'change-password',
  'prove-email',
  'reset-password',
  'use-recovery-code',
  'make-recovery-codes',
  'add-passkey',
  'remove-passkey',
  'add-api-token',
  'link-provider',
  'unlink-provider',
  'delete-account',
  'keep-account',
]);

export type SignInChange = z.infer<typeof signInChangeSchema>;

/** Holds the content of a notice without its users and track. Gaps are above zero. */
export const noticeContentSchema = z.discriminatedUnion('kind', [
  /** Another driver passed the user, who had `rank` and is one place behind it now, and is ahead by `gapMs`. */
  z.object({
    kind: z.literal('rank_lost'),
    payload: z.object({ rank: z.int().positive(), gapMs: z.int().positive() }),
  }),
  z.object({ kind: z.literal('record_lost'), payload: z.object({ gapMs: z.int().positive() }) }),
  /** Another driver has a first lap on the board with the same car model. `gapMs` is below zero where they are faster. */
  z.object({ kind: z.literal('new_rival'), payload: z.object({ carName: z.string(), gapMs: z.int() }) }),
  z.object({
    kind: z.literal('lap_decided'),
    payload: z.object({
      lapTimeMs: z.int().positive(),
      verdict: z.enum(['keep', 'reject']),
      reason: z.string().nullable(),
    }),
  }),
  z.object({
    kind: z.literal('lap_questioned'),
    payload: z.object({ lapTimeMs: z.int().positive(), question: z.string() }),
  }),
  /** The other user answered a moderator. The notice lacks the answer, because only moderators read it, and roles change. */
  z.object({ kind: z.literal('lap_answered'), payload: z.object({ lapTimeMs: z.int().positive() }) }),
  /** The name of a car, or null for the track of the notice. */
  z.object({ kind: z.literal('proposal_approved'), payload: z.object({ carName: z.string().nullable() }) }),
  /** An administrator corrected the track of the notice. */
  z.object({ kind: z.literal('proposal_corrected'), payload: z.object({}) }),
  /** The track was deleted, with any laps of the driver. */
  z.object({
    kind: z.literal('proposal_removed'),
    payload: z.object({ trackName: z.string(), isProposer: z.boolean(), hadLaps: z.boolean() }),
  }),
  z.object({
    kind: z.literal('sign_in_changed'),
    payload: z.object({
      change: signInChangeSchema,
    }),
  }),
  /** The other user sent a lap file to the owners that was refused. */
  z.object({ kind: z.literal('file_refused'), payload: z.object({}) }),
  /** The other user asks an administrator for a set of tracks. */
  z.object({
    kind: z.literal('tracks_asked'),
    payload: z.object({ setName: z.string(), title: z.string() }),
  }),
  /** A set that the user asked for is here. */
  z.object({ kind: z.literal('tracks_fetched'), payload: z.object({ title: z.string() }) }),
  /** The laps have moved to the track of the notice. */
  z.object({ kind: z.literal('track_merged'), payload: z.object({ trackName: z.string() }) }),
]);

export type NoticeContent = z.infer<typeof noticeContentSchema>;

export type NewNotice = NoticeContent & {
  userId: UserId;
  trackId: TrackId | null;
  eventId: EventId | null;
  otherUserId: UserId | null;
  lapId: LapId | null;
  comparedLapId: LapId | null;
};
