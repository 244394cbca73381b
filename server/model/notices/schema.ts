import { bigint, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { EventId, LapId, NoticeId, TrackId, UserId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';
import type { ALL_NOTICE_KINDS, NoticeKind } from '#contract/notices/labels.ts';
import { userIdColumn } from '#server/model/people/schema.ts';

/**
 * Holds the notices of users. `deleteNoticesOfEvents` deletes a notice with its event, and events are deleted with their session,
 * because there is no foreign key (docs/decisions/0023). `deleteOldNotices` deletes notices without an event. Users are not
 * referenced, for the same reason as in `events`.
 */
export const notices = pgTable(
  'notices',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().$type<NoticeId>().generatedByDefaultAsIdentity(),
    userId: uuid('user_id').$type<UserId>().notNull(),
    kind: text('kind').$type<(typeof ALL_NOTICE_KINDS)[number]>().notNull(),
    trackId: text('track_id').$type<TrackId>(),
    eventId: bigint('event_id', { mode: 'number' }).$type<EventId>(),
    otherUserId: uuid('other_user_id').$type<UserId>(),
    /** The lap that the notice links to; `comparedLapId` is compared with it. */
    lapId: uuid('lap_id').$type<LapId>(),
    comparedLapId: uuid('compared_lap_id').$type<LapId>(),
    /** `server/model/notices/notice-kinds.ts` has the schema of each kind. */
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

/** Names a kind that gives no notice, or, after `mail:`, one that the mails leave out. */
export type MutedKind = NoticeKind | `mail:${NoticeKind}`;

/** Holds the kinds of notices that a user switched off; without a row, all are on. */
export const noticeSettings = pgTable('notice_settings', {
  userId: userIdColumn().primaryKey(),
  muted: text('muted').array().$type<MutedKind[]>().notNull(),
});
