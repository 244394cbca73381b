import { z } from 'zod';
import type { LapId, UserId } from '#contract/ids.ts';

/** What a user may have changed of how they sign in. */
export const signInChangeSchema = z.enum([
  'change-password',
  'reset-password',
  'use-recovery-code',
  'make-recovery-codes',
  'add-passkey',
  'remove-passkey',
  'add-api-token',
  'link-provider',
  'unlink-provider',
]);

export type SignInChange = z.infer<typeof signInChangeSchema>;

/** What a notice says, besides who and where. Gaps are above zero. */
export const noticeContentSchema = z.discriminatedUnion('kind', [
  /** Somebody is ahead now by `gapMs`; `rank` is the one that they took. */
  z.object({
    kind: z.literal('rank_lost'),
    payload: z.object({ rank: z.int().positive(), gapMs: z.int().positive() }),
  }),
  z.object({ kind: z.literal('record_lost'), payload: z.object({ gapMs: z.int().positive() }) }),
  /** Somebody has a first lap on a board, in a car of the same model. `gapMs` is below zero where they are faster. */
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
  /** The other user has answered a moderator. Without the answer: only moderators read that, and roles change. */
  z.object({ kind: z.literal('lap_answered'), payload: z.object({ lapTimeMs: z.int().positive() }) }),
  /** The name of a car, or null for the track of the notice. */
  z.object({ kind: z.literal('proposal_approved'), payload: z.object({ carName: z.string().nullable() }) }),
  /** Of the track of the notice. */
  z.object({ kind: z.literal('proposal_corrected'), payload: z.object({}) }),
  /** The track is gone, with the laps of the driver where there were any. */
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
  /** The track of the notice is the one to which the laps have moved. */
  z.object({ kind: z.literal('track_merged'), payload: z.object({ trackName: z.string() }) }),
]);

export type NoticeContent = z.infer<typeof noticeContentSchema>;

/** A notice that is to be stored. */
export type NewNotice = NoticeContent & {
  userId: UserId;
  trackId: string | null;
  eventId: number | null;
  otherUserId: UserId | null;
  lapId: LapId | null;
  comparedLapId: LapId | null;
};
