import { bigint, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { LapId, UserId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import type { ALL_NOTICE_KINDS, NoticeKind } from '#contract/notices/labels.ts';
import { users } from '#server/model/people/schema.ts';

/**
 * What happened to the laps of users, in words that they read. A notice goes with its event, which goes with the session that made
 * it happen: `deleteNoticesOfEvents` sees to that, because there is no foreign key (docs/decisions/0023). Where there is no event,
 * `deleteOldNotices` removes it. Users are not referenced, for the reason that events give.
 */
export const notices = pgTable(
  'notices',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    userId: uuid('user_id').$type<UserId>().notNull(),
    kind: text('kind').$type<(typeof ALL_NOTICE_KINDS)[number]>().notNull(),
    trackId: text('track_id'),
    /** Is the event that it was made from. */
    eventId: bigint('event_id', { mode: 'number' }),
    /** Who else took part. */
    otherUserId: uuid('other_user_id').$type<UserId>(),
    /** The lap that it leads to, and the one that this is compared with. */
    lapId: uuid('lap_id').$type<LapId>(),
    comparedLapId: uuid('compared_lap_id').$type<LapId>(),
    /** Has the schema of its kind in `server/model/notices/notice-kinds.ts`. */
    payload: jsonb('payload').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    readAt: instant('read_at'),
  },
  (table) => [
    unique('notices_event_user_key').on(table.trackId, table.eventId, table.userId),
    index('notices_user_index').on(table.userId, table.id),
    index('notices_other_user_index').on(table.otherUserId),
  ],
);

/** Of which kinds a user wants no notices; without a row: all are wanted. */
export const noticeSettings = pgTable('notice_settings', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  muted: text('muted').array().$type<NoticeKind[]>().notNull(),
});
