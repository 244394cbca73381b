import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '#server/kernel/database/columns.ts';

/** What has become of the demo community: one row, from its first start on; none where there never was one. */
export const demoCommunity = pgTable('demo_community', {
  /** Always true: keeps the table to one row. */
  isOnly: boolean('is_only').primaryKey().default(true),
  /** Once removed, it never comes back. */
  state: text('state', { enum: ['preparing', 'ready', 'removed'] }).notNull(),
  /** The season ends here; the same after every start, so that the same season goes on. */
  beganAt: instant('began_at').notNull(),
});
