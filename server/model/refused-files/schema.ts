import { bigint, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { RefusedFileId } from '#contract/ids.ts';
import type { RefusedFileReport } from '#contract/upload/refused-files.ts';
import { instant } from '#server/kernel/database/columns.ts';
import { userIdColumn } from '#server/model/people/schema.ts';

/** Holds files that their drivers sent to the owners of the site, because the engine refused them. */
export const refusedFiles = pgTable(
  'refused_files',
  {
    id: uuid('id').primaryKey().$type<RefusedFileId>().defaultRandom(),
    userId: userIdColumn().notNull(),
    fileName: text('file_name').notNull(),
    byteCount: bigint('byte_count', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    /** Says what the engine found in the file when it was sent. */
    report: jsonb('report').$type<RefusedFileReport>().notNull(),
    sentAt: instant('sent_at').notNull().defaultNow(),
  },
  (table) => [
    unique('refused_files_user_content_key').on(table.userId, table.sha256),
    index('refused_files_sent_index').on(table.sentAt),
  ],
);
