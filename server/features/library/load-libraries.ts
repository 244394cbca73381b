import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { trackSchema } from '#contract/tracks/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { changeCarModels } from '#server/model/boards/change-laps.ts';
import { parseCarLibrary } from '#server/model/cars/car-library.ts';
import { upsertCarModels } from '#server/model/cars/car-store.ts';
import { timeZoneAt } from '#server/model/tracks/local-time.ts';
import { listedOutline } from '#server/model/tracks/thin-outline.ts';
import {
  findLoadedLibrary,
  listRemovedTracks,
  lockLibraries,
  saveLoadedLibrary,
  upsertLibraryTracks,
} from '#server/model/tracks/track-library-store.ts';

const LIBRARY_FOLDER = join(projectFolder, 'data');

// A new version makes every server load the files again, after a change of how this program reads them.
const READING_VERSION = 2;

/**
 * Loads the tracks and car models of the library files in `folder` into the database. The files own their entries: an entry
 * that differs is overwritten. Entries from other sources, and those that an administrator has corrected or deleted, stay. An
 * unchanged file costs one read. Copies of the server that start together take turns.
 */
export async function loadLibraries(db: Database, folder = LIBRARY_FOLDER): Promise<void> {
  await loadLibrary(db, join(folder, 'tracks.json'), loadTracks);
  await loadLibrary(db, join(folder, 'cars.csv'), loadCarModels);
}

async function loadLibrary(
  db: Database,
  path: string,
  load: (tx: Database, text: string) => Promise<void>,
): Promise<void> {
  const text = await readFile(path, 'utf8');
  const name = path.slice(path.lastIndexOf('/') + 1);
  const sha256 = createHash('sha256').update(`${READING_VERSION}\n`).update(text).digest('hex');
  await db.transaction(async (tx) => {
    await lockLibraries(tx);
    if ((await findLoadedLibrary(tx, name)) === sha256) return;
    await load(tx, text);
    await saveLoadedLibrary(tx, name, sha256);
  });
}

const libraryTrackSchema = trackSchema.omit({ status: true, timeZone: true });

async function loadTracks(tx: Database, text: string): Promise<void> {
  const removed = await listRemovedTracks(tx);
  const tracks = z.array(libraryTrackSchema).parse(JSON.parse(text));
  await upsertLibraryTracks(
    tx,
    tracks
      .filter(({ id }) => !removed.has(id))
      .map((track) => ({
        ...track,
        status: 'official' as const,
        timeZone: timeZoneAt(track.centerLat, track.centerLon),
        thinOutline: track.outline && listedOutline(track.outline),
      })),
  );
}

async function loadCarModels(tx: Database, text: string): Promise<void> {
  await changeCarModels(tx, () => upsertCarModels(tx, parseCarLibrary(text)));
}
