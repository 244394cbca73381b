import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Counts the limited calls of an address. An unlogged table: counts need not outlive a crash of the database. */
export const callCounts = pgTable('call_counts', {
  /** The address and the call. */
  key: text('key').primaryKey(),
  calls: integer('calls').notNull(),
  endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
});
