import { bigint, date, pgTable, uuid } from 'drizzle-orm/pg-core';
import { users } from './schema.ts';

/** The last digest of each user: at most one a day, and no notice in two of them. */
export const mailDigests = pgTable('mail_digests', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** In UTC. */
  day: date('day').notNull(),
  /** The last notice that was in it. */
  untilNoticeId: bigint('until_notice_id', { mode: 'number' }).notNull(),
});
