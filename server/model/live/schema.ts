import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { LiveCode, LiveFix, SharingId } from '#contract/live/schemas.ts';
import { LIVE_VISIBILITIES } from '#contract/live/labels.ts';
import type { TrackId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { userIdColumn } from '#server/model/people/schema.ts';

// Rows of live sessions last no longer than the session, and are in no backup.

/** Holds what those who watch see on one page: a track and a day, by the code of its link. */
export const liveSessions = pgTable(
  'live_sessions',
  {
    code: text('code').primaryKey().$type<LiveCode>(),
    /** Names a track without a foreign key (docs/decisions/0023): a session whose track is gone ends by itself. */
    trackId: text('track_id').$type<TrackId>().notNull(),
    title: text('title'),
    visibility: text('visibility', { enum: LIVE_VISIBILITIES }).notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    driversSoFar: integer('drivers_so_far').notNull().default(0),
  },
  (table) => [index('live_sessions_track_index').on(table.trackId)],
);

/** Holds the drivers of live sessions. Everybody shares in one session at a time. */
export const liveSharings = pgTable(
  'live_sharings',
  {
    id: uuid('id').primaryKey().$type<SharingId>().defaultRandom(),
    code: text('code')
      .$type<LiveCode>()
      .notNull()
      .references(() => liveSessions.code, { onDelete: 'cascade' }),
    userId: userIdColumn().notNull().unique(),
    /** Watchers know the driver by this number within the session. */
    number: integer('number').notNull(),
    carName: text('car_name'),
    startedAt: instant('started_at').notNull().defaultNow(),
  },
  (table) => [index('live_sharings_code_index').on(table.code)],
);

// The two tables that every batch changes have no foreign key: its check would write to the log of the database, which each
// transaction would then wait for. `endLiveSharing` deletes their rows.

/** Holds how far a driver is timed. An unlogged table: after a crash of the database, timing begins again at the next crossing. */
export const liveTimings = pgTable('live_timings', {
  sharingId: uuid('sharing_id').primaryKey().$type<SharingId>(),
  batchCount: integer('batch_count').notNull(),
  lastFixAtMs: bigint('last_fix_at_ms', { mode: 'number' }).notNull(),
  seenAt: instant('seen_at').notNull().defaultNow(),
  /** Holds what those who watch see, and what live timing needs to go on. */
  progress: jsonb('progress').notNull(),
});

/** Holds the fixes since the last crossing, from which another copy of the server goes on timing. Unlogged, too. */
export const liveBatches = pgTable(
  'live_batches',
  {
    sharingId: uuid('sharing_id').$type<SharingId>().notNull(),
    number: integer('number').notNull(),
    lastFixAtMs: bigint('last_fix_at_ms', { mode: 'number' }).notNull(),
    fixes: jsonb('fixes').$type<LiveFix[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sharingId, table.number] })],
);
