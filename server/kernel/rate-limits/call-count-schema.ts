import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/**
 * How often an address made a call that is limited, for all copies of the server. An unlogged table, as its migration
 * says: counts need not outlive a crash of the database.
 */
export const callCounts = pgTable('call_counts', {
  /** The address and the call. */
  key: text('key').primaryKey(),
  calls: integer('calls').notNull(),
  endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
});
