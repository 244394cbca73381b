import { foreignKey, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { SessionId, TrackId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { sessions } from '#server/model/laps/schema.ts';

/** Holds what puts videos in step with sessions. The videos themselves are not here: they stay with the readers who have them. */
export const sessionVideos = pgTable(
  'session_videos',
  {
    trackId: text('track_id').$type<TrackId>().notNull(),
    sessionId: uuid('session_id').notNull().$type<SessionId>(),
    key: text('key').notNull(),
    /** One or two `Anchor`s. */
    anchors: jsonb('anchors').notNull(),
    savedAt: instant('saved_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'session_videos_pkey', columns: [table.trackId, table.sessionId, table.key] }),
    foreignKey({
      name: 'session_videos_session_fkey',
      columns: [table.trackId, table.sessionId],
      foreignColumns: [sessions.trackId, sessions.id],
    }).onDelete('cascade'),
  ],
);
