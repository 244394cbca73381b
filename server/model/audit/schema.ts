import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { UserId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';

/** What administrators did, who became one, and what drivers changed of their sessions; only ever added to. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** No reference to the user, so that the entry outlives the account. Null for a command at the server's terminal. */
    userId: uuid('user_id').$type<UserId>(),
    action: text('action').notNull(),
    /** The id of the track, the user, the session or the car that it was done to; null where it was many. */
    subject: text('subject'),
    /** How many rows came to what. */
    counts: jsonb('counts').notNull(),
    /** What it was before and after, by the name of the field, where that is worth knowing. */
    changes: jsonb('changes'),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [index('audit_log_at_index').on(table.at)],
);
