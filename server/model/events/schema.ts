import { sql } from 'drizzle-orm';
import {
  bigint,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { UserId } from '#contract/ids.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';

/**
 * What happened on boards, written in the transaction that made it happen and delivered by a job afterwards. Users are not
 * referenced: that would lock them after the track, and changes of drivers lock the other way round. `deleteEventsOfUsers` removes them.
 */
export const events = pgTable(
  'events',
  {
    trackId: text('track_id')
      .notNull()
      .references(() => tracks.id, { onDelete: 'cascade' }),
    /** Has the order in which things happened on the track. */
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    kind: text('kind').notNull(),
    /** Is the user whom it is about. */
    userId: uuid('user_id').$type<UserId>().notNull(),
    /** Who else took part, such as the driver who is ahead now; null after they have left. */
    otherUserId: uuid('other_user_id').$type<UserId>(),
    /** The session of the lap that made it happen. */
    sessionId: uuid('session_id'),
    /** Has the schema of its kind in `server/model/events/event-kinds.ts`. */
    payload: jsonb('payload').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    deliveredAt: timestamp('delivered_at', { withTimezone: true }),
  },
  (table) => [
    primaryKey({ name: 'events_pkey', columns: [table.trackId, table.id] }),
    foreignKey({
      name: 'events_session_fkey',
      columns: [table.trackId, table.sessionId],
      foreignColumns: [sessions.trackId, sessions.id],
    }).onDelete('cascade'),
    index('events_undelivered_index')
      .on(table.trackId, table.id)
      .where(sql`delivered_at is null`),
    index('events_delivered_index').on(table.deliveredAt),
    index('events_user_index').on(table.userId),
    index('events_other_user_index').on(table.otherUserId),
    index('events_session_index').on(table.trackId, table.sessionId),
  ],
);
