import type { TrackId } from '#contract/ids.ts';
import { simulateDrive, type SimulatedDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { type GenericCsvOptions, writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';
import { LAP_FILES_PREFIX } from '#server/model/laps/lap-file-key.ts';
import { type GivenTrack, insertTrack } from './builders.ts';
import { listKeys } from './test-storage.ts';
import type { TestFile } from './form.ts';

// Lap files driven on a small kart track, and what it takes to send them.

/** 23:30 on a Saturday in June at the kart track. */
export const DRIVEN_AT_MS = Date.UTC(2026, 5, 6, 21, 30);

/** Inserts a kart track; returns the id. All of them have the same centre, unless `given` has another. */
export async function insertKartTrack(db: Database, given: GivenTrack = {}): Promise<TrackId> {
  const { id: _id, ...kartTrack } = KART_TRACK;
  return await insertTrack(db, { ...kartTrack, timeZone: 'Europe/Berlin', ...given });
}

let seed = 100;

/** Drives on the kart track, unlike all drives before. */
export function driveKart(laps = 3): SimulatedDrive {
  const around = { leadInMeters: 60, leadOutMeters: 60 };
  return simulateDrive(KART_TRACK, { seed: ++seed, laps, startTimeMs: DRIVEN_AT_MS, ...around });
}

/** Makes the lap file of such a drive, with three laps. */
export function kartCsv(options: GenericCsvOptions = {}, name = 'laps.csv'): TestFile {
  return { name, content: writeGenericCsv(driveKart(), options) };
}

/** Lists the keys of all raw lap files that are kept. */
export const listKeptFiles = (storage: Storage): Promise<string[]> => listKeys(storage, LAP_FILES_PREFIX);
