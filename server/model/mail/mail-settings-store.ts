import { getTableColumns } from 'drizzle-orm';
import type { Database } from '#server/kernel/database/database.ts';
import { mailSettings } from './schema.ts';

export type StoredMailSettings = Omit<typeof mailSettings.$inferSelect, 'isOnlyRow'>;

export async function findStoredMailSettings(db: Database): Promise<StoredMailSettings | undefined> {
  const { isOnlyRow: _, ...columns } = getTableColumns(mailSettings);
  const [row] = await db.select(columns).from(mailSettings).limit(1);
  return row;
}

export async function storeMailSettings(db: Database, settings: StoredMailSettings): Promise<void> {
  await db
    .insert(mailSettings)
    .values(settings)
    .onConflictDoUpdate({ target: mailSettings.isOnlyRow, set: settings });
}

export async function deleteMailSettingsRow(db: Database): Promise<void> {
  await db.delete(mailSettings);
}
