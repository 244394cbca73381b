import { bigint, boolean, date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { UserId } from '#contract/ids.ts';
import type { MailSecurity } from '#contract/mail/labels.ts';
import { users } from '#server/model/people/schema.ts';

/** The last digest of each user: at most one a day, and no notice in two of them. */
export const mailDigests = pgTable('mail_digests', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** In UTC. */
  day: date('day').notNull(),
  /** The last notice that was in it. */
  untilNoticeId: bigint('until_notice_id', { mode: 'number' }).notNull(),
});

/** The mail server that an owner has entered: one row, or none. */
export const mailSettings = pgTable('mail_settings', {
  isOnlyRow: boolean('is_only_row').primaryKey().default(true),
  host: text('host').notNull(),
  port: integer('port').notNull(),
  security: text('security').$type<MailSecurity>().notNull(),
  /** Empty: the mail server wants no sign-in. */
  userName: text('user_name').notNull(),
  /** Encrypted with a key of `COOKIE_SECRET`; null without a user name. */
  sealedPassword: text('sealed_password'),
  from: text('sender').notNull(),
});
