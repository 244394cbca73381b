import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '#server/kernel/database/columns.ts';

/** Holds the state of the demo community: one row after its first start, none before. */
export const demoCommunity = pgTable('demo_community', {
  /** Always true, which limits the table to one row. */
  isOnly: boolean('is_only').primaryKey().default(true),
  /** Once removed, it never comes back. */
  state: text('state', { enum: ['preparing', 'ready', 'removed'] }).notNull(),
  /** The end of the season. Every start uses the same time, so the season stays the same. */
  beganAt: instant('began_at').notNull(),
});
