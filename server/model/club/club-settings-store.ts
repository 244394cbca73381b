import type { Pool } from 'pg';
import { z } from 'zod';
import type { Registration } from '#contract/sign-in/labels.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { clubSettings } from './schema.ts';

export type ClubSettings = {
  name: string;
  timeZone: string;
  registration: Registration;
  /** Is true where laps of simulators have boards of their own. */
  hasSimulatorBoards: boolean;
};

/** Finds the settings; undefined before the set-up is complete. */
export async function findClubSettings(db: Database): Promise<ClubSettings | undefined> {
  const { name, timeZone, registration, hasSimulatorBoards } = clubSettings;
  const [row] = await db
    .select({ name, timeZone, registration, hasSimulatorBoards })
    .from(clubSettings)
    .limit(1);
  return row;
}

const HAS_SIMULATOR_BOARDS = {
  name: 'has-simulator-boards',
  text: 'SELECT has_simulator_boards AS "isOn" FROM club_settings',
};

export async function hasSimulatorBoards(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const [row] = await queryRows(pool, z.object({ isOn: z.boolean() }), HAS_SIMULATOR_BOARDS);
  return row?.isOn ?? false;
}

export async function findSiteName(db: Database): Promise<string> {
  return (await findClubSettings(db))?.name ?? 'Pitboard';
}

type GivenSettings = Omit<ClubSettings, 'hasSimulatorBoards'> & {
  hasSimulatorBoards?: boolean | undefined;
};

/** Stores the settings; a switch that is absent stays as it is. */
export async function saveClubSettings(db: Database, settings: GivenSettings): Promise<void> {
  await db
    .insert(clubSettings)
    .values(settings)
    .onConflictDoUpdate({ target: clubSettings.isOnlyRow, set: settings });
}
