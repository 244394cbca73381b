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
import type { EventId, SessionId, UserId } from '#contract/ids.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { trackIdColumn } from '#server/model/tracks/schema.ts';

/**
 * Holds the events of boards. The transaction of a change writes its events, and a job delivers them. Users are not referenced,
 * because that would lock users after tracks, and changes of drivers lock them in the reverse order. `deleteEventsOfUsers` deletes
 * the events of deleted users.
 */
export const events = pgTable(
  'events',
  {
    trackId: trackIdColumn().notNull(),
    /** Ascends in the order of the track's changes. */
    id: bigint('id', { mode: 'number' }).notNull().$type<EventId>().generatedByDefaultAsIdentity(),
    kind: text('kind').notNull(),
    /** The user whom the event is about. */
    userId: uuid('user_id').$type<UserId>().notNull(),
    /** The other user, such as the driver who is ahead now; null after their account is deleted. */
    otherUserId: uuid('other_user_id').$type<UserId>(),
    /** The session of the lap that caused the event. */
    sessionId: uuid('session_id').$type<SessionId>(),
    /** `server/model/events/event-kinds.ts` has the schema of each kind. */
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
