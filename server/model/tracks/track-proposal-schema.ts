import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { tracks, users } from '#server/kernel/database/schema.ts';

/** Who proposed a track, and when; kept after its approval. */
export const trackProposals = pgTable(
  'track_proposals',
  {
    trackId: text('track_id')
      .primaryKey()
      .references(() => tracks.id, { onDelete: 'cascade' }),
    /** Null once the account is gone. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    proposedAt: timestamp('proposed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('track_proposals_user_index').on(table.userId)],
);

/** Tracks that were merged into others: links to them lead there. */
export const mergedTracks = pgTable(
  'merged_tracks',
  {
    id: text('id').primaryKey(),
    /** Not referenced, because Citus keeps tracks elsewhere: `removeTrackRow` removes what leads to a track. */
    intoTrackId: text('into_track_id').notNull(),
    mergedAt: timestamp('merged_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('merged_tracks_into_index').on(table.intoTrackId)],
);
