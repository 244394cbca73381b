import { bigint, boolean, date, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { MailSecurity } from '#contract/mail/labels.ts';
import { userIdColumn } from '#server/model/people/schema.ts';

/** Holds the last digest of each user, so that users get at most one a day and no notice twice. */
export const mailDigests = pgTable('mail_digests', {
  userId: userIdColumn().primaryKey(),
  day: date('day').notNull(),
  /** The last notice in the digest. */
  untilNoticeId: bigint('until_notice_id', { mode: 'number' }).notNull(),
});

/** Holds the mail server that an owner entered: one row, or none. */
export const mailSettings = pgTable('mail_settings', {
  isOnlyRow: boolean('is_only_row').primaryKey().default(true),
  host: text('host').notNull(),
  port: integer('port').notNull(),
  security: text('security').$type<MailSecurity>().notNull(),
  /** The user name at the mail server; empty where it needs no sign-in. */
  userName: text('user_name').notNull(),
  /** The password, encrypted with a key of `COOKIE_SECRET`; null without a user name. */
  sealedPassword: text('sealed_password'),
  from: text('sender').notNull(),
});
