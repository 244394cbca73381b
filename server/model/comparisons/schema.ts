import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { ComparisonId, LapId, TrackId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { userIdColumn } from '#server/model/people/schema.ts';

/**
 * Holds comparisons that people have saved. It does not refer to laps: they may be partitioned, and a retimed lap is written
 * again. `deleteIncompleteComparisons` deletes those whose laps are gone.
 */
export const savedComparisons = pgTable(
  'saved_comparisons',
  {
    id: uuid('id').$type<ComparisonId>().primaryKey().defaultRandom(),
    userId: userIdColumn().notNull(),
    name: text('name').notNull(),
    trackId: text('track_id').$type<TrackId>().notNull(),
    /** The reference is the first. */
    lapIds: uuid('lap_ids').array().$type<LapId[]>().notNull(),
    savedAt: instant('saved_at').notNull().defaultNow(),
  },
  (table) => [
    index('saved_comparisons_user_index').on(table.userId, table.savedAt),
    index('saved_comparisons_track_index').on(table.trackId),
  ],
);
