import { loadedLibraries, removedTracks } from '#server/model/tracks/schema.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { parseCarLibrary } from '#server/model/cars/car-library.ts';
import { projectFolder } from '#server/kernel/project-folder.ts';
import { timeZoneAt } from '#server/model/tracks/local-time.ts';
import { listedOutline } from '#server/model/tracks/thin-outline.ts';
import { changeCarModels } from '#server/model/boards/change-laps.ts';
import { trackSchema } from '#contract/tracks.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { carModels } from '#server/model/cars/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';

const LIBRARY_FOLDER = join(projectFolder, 'data');

// Any number that no other program locks in the same database.
const LIBRARY_LOCK = 7_248_002;

// Far below the 65,535 values that one statement takes.
const ROWS_PER_STATEMENT = 500;

/**
 * Brings the tracks and car models of the library files in `folder` into the database. The files own their entries: one that
 * differs is overwritten, one that came from elsewhere is left alone, and so is what an administrator has corrected or deleted. A file that was loaded before in the same state costs
 * one read. Copies of the server that start together take turns.
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
  // The version of this program's own reading is part of the state: a change of it loads the file again.
  const sha256 = createHash('sha256').update(`${READING_VERSION}\n`).update(text).digest('hex');
  await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LIBRARY_LOCK})`);
    const [loaded] = await tx.select().from(loadedLibraries).where(eq(loadedLibraries.name, name));
    if (loaded?.sha256 === sha256) return;
    await load(tx, text);
    await tx
      .insert(loadedLibraries)
      .values({ name, sha256 })
      .onConflictDoUpdate({ target: loadedLibraries.name, set: { sha256, loadedAt: sql`now()` } });
  });
}

const READING_VERSION = 2;

const libraryTrackSchema = trackSchema.omit({ status: true, timeZone: true });

async function loadTracks(tx: Database, text: string): Promise<void> {
  const rows = z
    .array(libraryTrackSchema)
    .parse(JSON.parse(text))
    .map((track) => ({
      ...track,
      status: 'official' as const,
      timeZone: timeZoneAt(track.centerLat, track.centerLon),
      thinOutline: track.outline && listedOutline(track.outline),
    }));
  const {
    id: _id,
    boardVersion: _boardVersion,
    entryCount: _entryCount,
    correctedAt: _correctedAt,
    retimeDueAt: _retimeDueAt,
    retimedSessionId: _retimedSessionId,
    // With `definedAt`, which is now unless a row says otherwise.
    ...definition
  } = getTableColumns(tracks);
  const removed = new Set((await tx.select().from(removedTracks)).map(({ id }) => id));
  for (const some of splitIntoChunks(rows.filter(({ id }) => !removed.has(id)))) {
    await tx
      .insert(tracks)
      .values(some)
      .onConflictDoUpdate({
        target: tracks.id,
        set: asProposed(definition),
        setWhere: isNull(tracks.correctedAt),
      });
  }
}

async function loadCarModels(tx: Database, text: string): Promise<void> {
  const { id: _id, modelKey: _modelKey, ...rest } = getTableColumns(carModels);
  await changeCarModels(tx, async () => {
    for (const some of splitIntoChunks(parseCarLibrary(text))) {
      await tx
        .insert(carModels)
        .values(some)
        .onConflictDoUpdate({ target: carModels.modelKey, set: asProposed(rest) });
    }
  });
}

/** For an upsert: each of `columns` takes the value that the insert proposed. */
function asProposed(columns: Partial<ReturnType<typeof getTableColumns<PgTable>>>) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      sql`excluded.${sql.identifier(column?.name ?? name)}`,
    ]),
  );
}

function splitIntoChunks<Row>(rows: Row[]): Row[][] {
  const chunks: Row[][] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    chunks.push(rows.slice(start, start + ROWS_PER_STATEMENT));
  return chunks;
}
