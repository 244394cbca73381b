import { LIMITS } from '#contract/limits.ts';
import type { Track } from '#contract/tracks.ts';
import { insertAuditEntry } from '#server/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openTrackLibrary, toNewTrack } from '#server/tracks/library-track.ts';
import { insertTracks, listTrackIdentities, lockImports } from '#server/tracks/track-library-store.ts';
import { listFullTracksAsJson } from '#server/tracks/track-store.ts';
import { readTrackSet } from './read-track-set.ts';
import { sortOutTracks, type SoundTrack } from './sort-out-tracks.ts';

/** How far an import has come; `total` is 0 while it is not known. */
export type ImportProgress = { step: 'reading' | 'comparing' | 'adding'; done: number; total: number };

/** What came of a set: of `files`, how many tracks were added, and why others were not. */
export type ImportedSet = {
  added: number;
  known: number;
  duplicates: number;
  leftOut: { file: string; reason: string }[];
};

/** Where a set is, who imports it (null at the terminal), and what is called as it goes on. */
type SetImport = { path: string; userId: string | null; onProgress: (progress: ImportProgress) => void };

/**
 * Adds the tracks of a folder, a ZIP archive or a file that the library lacks. Running it twice adds nothing more.
 * @throws AppError where nothing can be read, or the library would hold too many tracks
 */
export async function importTrackSet(
  db: Database,
  { path, userId, onProgress }: SetImport,
): Promise<ImportedSet> {
  const { tracks, unreadable } = await readTrackSet(path, (done, total) =>
    onProgress({ step: 'reading', done, total }),
  );
  onProgress({ step: 'comparing', done: 0, total: 0 });
  const library = (await listFullTracksAsJson(db)).map((json): Track => JSON.parse(json));
  const sorted = sortOutTracks(tracks, library);
  const { known, duplicates } = sorted;
  const added = await addTracks(db, sorted.tracks, (done, total) =>
    onProgress({ step: 'adding', done, total }),
  );
  const leftOut = [...unreadable, ...sorted.leftOut];
  const counts = { success: added.length, exists: known, duplicates, error: leftOut.length };
  await insertAuditEntry(db, {
    userId,
    action: 'create-tracks',
    counts,
  });
  return { added: added.length, known, duplicates, leftOut };
}

// Few enough that their outlines do not block the event loop.
const ROWS_PER_STATEMENT = 200;

async function addTracks(
  db: Database,
  tracks: readonly SoundTrack[],
  onAdded: (done: number, total: number) => void,
): Promise<string[]> {
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    const library = openTrackLibrary(await listTrackIdentities(tx));
    // Another import may have added some of them meanwhile.
    const fresh = tracks.filter((track) => library.find(track) === undefined);
    if (library.size() + fresh.length > LIMITS.tracksMax)
      throw new AppError('conflict', `The library holds at most ${LIMITS.tracksMax} tracks.`);
    const ids: string[] = [];
    for (let start = 0; start < fresh.length; start += ROWS_PER_STATEMENT) {
      const rows = fresh.slice(start, start + ROWS_PER_STATEMENT).map((track) => {
        const { row: _row, problems: _problems, warnings: _warnings, ...definition } = track;
        return { ...toNewTrack(definition), id: library.add(track) };
      });
      await insertTracks(tx, rows);
      ids.push(...rows.map(({ id }) => id));
      onAdded(ids.length, fresh.length);
    }
    return ids;
  });
}
