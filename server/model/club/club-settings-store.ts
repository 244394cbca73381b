import type { Registration } from '#contract/sign-in/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { clubSettings } from './schema.ts';

export type ClubSettings = { name: string; timeZone: string; registration: Registration };

/** Finds the settings; undefined before the set-up is complete. */
export async function findClubSettings(db: Database): Promise<ClubSettings | undefined> {
  const { name, timeZone, registration } = clubSettings;
  const [row] = await db.select({ name, timeZone, registration }).from(clubSettings).limit(1);
  return row;
}

export async function findSiteName(db: Database): Promise<string> {
  return (await findClubSettings(db))?.name ?? 'Pitboard';
}

export async function saveClubSettings(db: Database, settings: ClubSettings): Promise<void> {
  await db
    .insert(clubSettings)
    .values(settings)
    .onConflictDoUpdate({ target: clubSettings.isOnlyRow, set: settings });
}
