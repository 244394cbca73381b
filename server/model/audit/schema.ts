import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { UserId } from '#contract/ids.ts';
import { instant } from '#server/kernel/database/columns.ts';

/** Holds actions of administrators, changes of roles, and drivers' changes of their sessions. Rows are only inserted. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The column does not reference the user, so the entry outlives the account. Null for a command at the server's terminal. */
    userId: uuid('user_id').$type<UserId>(),
    action: text('action').notNull(),
    /** The id of the changed track, user, session or car; null where there are several. */
    subject: text('subject'),
    counts: jsonb('counts').notNull(),
    /** The values before and after the change by field, where they matter. */
    changes: jsonb('changes'),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [index('audit_log_at_index').on(table.at)],
);
