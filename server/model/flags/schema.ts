import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { DecisionId, LapId, TrackId, UserId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import type { AnyFlagReason } from '#contract/moderation/labels.ts';
import { userIdColumn, users } from '#server/model/people/schema.ts';

// Neither table refers to laps: a verdict outlives the moment in which a retimed lap is written again, and laps may be partitioned.

const lapAndDriver = () => ({
  lapId: uuid('lap_id').notNull().$type<LapId>(),
  driverId: uuid('driver_id')
    .notNull()
    .$type<UserId>()
    .references(() => users.id, { onDelete: 'cascade' }),
});

/** Holds doubts about laps, and appeals of their drivers. */
export const lapFlags = pgTable(
  'lap_flags',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    trackId: text('track_id').$type<TrackId>().notNull(),
    ...lapAndDriver(),
    /** Is null for a flag of the automatic checks. */
    userId: userIdColumn(),
    reason: text('reason').$type<AnyFlagReason>().notNull(),
    sentence: text('sentence').notNull(),
    /** Holds the figures of an automatic check, by name. */
    figures: jsonb('figures'),
    /** Names the lap of another driver that the sentence is about; the driver's name is added when the sentence is shown. */
    otherLapId: uuid('other_lap_id').$type<LapId>(),
    flaggedAt: instant('flagged_at').notNull().defaultNow(),
    /** Names the decision that closed the flag; null while it is open. */
    decisionId: uuid('decision_id').$type<DecisionId>(),
    /** Identifies the positions of a lap whose session was deleted: flags and decisions hold for it where it is uploaded again. */
    positionsHash: text('positions_hash'),
  },
  (table) => [
    index('lap_flags_lap_index').on(table.lapId),
    index('lap_flags_user_index').on(table.userId, table.flaggedAt),
    index('lap_flags_driver_index').on(table.driverId),
    index('lap_flags_open_index')
      .on(table.trackId)
      .where(sql`decision_id is null`),
    // An automatic check doubts a lap once, whatever is decided about it.
    uniqueIndex('lap_flags_automatic_key')
      .on(table.lapId, table.reason)
      .where(sql`user_id is null`),
  ],
);

/** Decisions on flagged laps; only ever added to. */
export const lapDecisions = pgTable(
  'lap_decisions',
  {
    id: uuid('id').primaryKey().$type<DecisionId>().defaultRandom(),
    ...lapAndDriver(),
    /** No reference, so that a decision outlives the account of who took it. */
    decidedBy: uuid('decided_by').$type<UserId>().notNull(),
    verdict: text('verdict').$type<'keep' | 'reject'>().notNull(),
    reason: text('reason'),
    decidedAt: instant('decided_at').notNull().defaultNow(),
    undoneAt: instant('undone_at'),
  },
  (table) => [
    index('lap_decisions_lap_index').on(table.lapId),
    index('lap_decisions_driver_index').on(table.driverId),
  ],
);

/** Holds the questions of moderators to drivers about flagged laps. */
export const lapQuestions = pgTable(
  'lap_questions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    trackId: text('track_id').$type<TrackId>().notNull(),
    ...lapAndDriver(),
    /** No reference, as for decisions. */
    askedBy: uuid('asked_by').$type<UserId>().notNull(),
    question: text('question').notNull(),
    askedAt: instant('asked_at').notNull().defaultNow(),
    answer: text('answer'),
    answeredAt: instant('answered_at'),
  },
  (table) => [
    index('lap_questions_lap_index').on(table.lapId),
    index('lap_questions_driver_index').on(table.driverId),
  ],
);

/** Holds evidence for laps besides their file: a published result, or the positions of a camera. */
export const lapEvidence = pgTable(
  'lap_evidence',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    trackId: text('track_id').$type<TrackId>().notNull(),
    ...lapAndDriver(),
    kind: text('kind', { enum: ['official', 'video-gps'] }).notNull(),
    /** The address of the published result, or the name of the camera. */
    source: text('source').notNull(),
    figures: jsonb('figures'),
    /** Is null for the automatic checks. */
    grantedBy: uuid('granted_by').$type<UserId>(),
    grantedAt: instant('granted_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('lap_evidence_key').on(table.trackId, table.lapId, table.kind),
    index('lap_evidence_driver_index').on(table.driverId),
  ],
);
