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
  /** Is true where sample lap files are offered. */
  hasSamples: boolean;
};

/** Finds the settings; undefined before the set-up is complete. */
export async function findClubSettings(db: Database): Promise<ClubSettings | undefined> {
  const { name, timeZone, registration, hasSimulatorBoards, hasSamples } = clubSettings;
  const [row] = await db
    .select({ name, timeZone, registration, hasSimulatorBoards, hasSamples })
    .from(clubSettings)
    .limit(1);
  return row;
}

const LISTED_KINDS = {
  name: 'listed-kinds',
  text: 'SELECT has_simulator_boards AS simulator, has_samples AS sample FROM club_settings',
};

const listedKindsRow = z.object({ simulator: z.boolean(), sample: z.boolean() });

/** Says which simulated laps are shown to everybody: those of simulators, and those of sample files. */
export type ListedKinds = z.infer<typeof listedKindsRow>;

export async function findListedKinds(pool: Pick<Pool, 'query'>): Promise<ListedKinds> {
  const [row] = await queryRows(pool, listedKindsRow, LISTED_KINDS);
  return row ?? { simulator: false, sample: true };
}

export async function hasSamples(pool: Pick<Pool, 'query'>): Promise<boolean> {
  return (await findListedKinds(pool)).sample;
}

export async function findSiteName(db: Database): Promise<string> {
  return (await findClubSettings(db))?.name ?? 'Pitboard';
}

type SwitchName = 'hasSimulatorBoards' | 'hasSamples';
type GivenSettings = Omit<ClubSettings, SwitchName> & { [Name in SwitchName]?: boolean | undefined };

/** Stores the settings; a switch that is absent stays as it is. */
export async function saveClubSettings(db: Database, settings: GivenSettings): Promise<void> {
  await db
    .insert(clubSettings)
    .values(settings)
    .onConflictDoUpdate({ target: clubSettings.isOnlyRow, set: settings });
}

export async function hideFirstSteps(db: Database, isHidden: boolean): Promise<void> {
  await db.update(clubSettings).set({ hidesFirstSteps: isHidden });
}
