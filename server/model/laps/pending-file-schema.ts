import { bigint, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '#server/kernel/database/schema.ts';

/** Lap files that drivers have sent and not uploaded to a board yet. The id is the token that names one: it cannot be guessed. */
export const pendingFiles = pgTable(
  'pending_files',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    fileName: text('file_name').notNull(),
    byteCount: bigint('byte_count', { mode: 'number' }).notNull(),
    receivedBytes: bigint('received_bytes', { mode: 'number' }).notNull(),
    /** Of the content; null for a file that came in parts. */
    sha256: text('sha256'),
    /** When it, or its last part, was sent. */
    sentAt: timestamp('sent_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('pending_files_user_index').on(table.userId)],
);
