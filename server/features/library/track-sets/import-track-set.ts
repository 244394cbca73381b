import type { UserId } from '#contract/ids.ts';
import type { ImportedTrackSet, ImportProgress } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { LIBRARY_FULL, type NewTrack, openTrackLibrary } from '#server/model/tracks/library-track.ts';
import { insertTracks, listTrackIdentities, lockImports } from '#server/model/tracks/track-library-store.ts';
import { listFullTracksAsJson } from '#server/model/tracks/track-store.ts';
import { type NewTracks, sortOutSet } from './sort-out-set.ts';

/** An import has the path of a set, the administrator (null at the terminal) and the callbacks for its progress. */
type SetImport = {
  path: string;
  userId: UserId | null;
  onProgress?: (progress: ImportProgress) => void;
  /** A server passes a function that runs in another thread, to keep this one free. */
  sortOut?: (set: { path: string; library: readonly string[] }) => Promise<NewTracks>;
};

/**
 * Adds those tracks of a folder, a ZIP archive or a file that the library lacks. A second run adds nothing.
 * @throws AppError where nothing can be read, or the library would hold too many tracks
 */
export async function importTrackSet(
  db: Database,
  { path, userId, onProgress = () => {}, sortOut }: SetImport,
): Promise<ImportedTrackSet> {
  const library = await listFullTracksAsJson(db);
  const readHere = () =>
    sortOutSet(path, library, (done, total) => onProgress({ step: 'reading', done, total }));
  const { definitions, known, duplicates, leftOut } = await (sortOut?.({ path, library }) ?? readHere());
  return await db.transaction(async (tx) => {
    const added = await addTracks(tx, definitions, (done, total) =>
      onProgress({ step: 'adding', done, total }),
    );
    const counts = { success: added, exists: known, duplicates, error: leftOut.length };
    await insertAuditEntry(tx, { userId, action: 'create-tracks', counts });
    return { added, known, duplicates, leftOut };
  });
}

// Serializing more outlines at once would block the event loop.
const ROWS_PER_STATEMENT = 200;

/** Adds the tracks that the library still lacks: another import may have added some of them meanwhile. */
async function addTracks(
  tx: Database,
  definitions: readonly string[],
  onAdded: (done: number, total: number) => void,
): Promise<number> {
  await lockImports(tx);
  const library = openTrackLibrary(await listTrackIdentities(tx));
  let added = 0;
  for (let start = 0; start < definitions.length; start += ROWS_PER_STATEMENT) {
    const rows = definitions.slice(start, start + ROWS_PER_STATEMENT).flatMap((definition) => {
      const track: NewTrack = JSON.parse(definition);
      return library.find(track) === undefined ? [{ ...track, id: library.add(track) }] : [];
    });
    if (library.size() > LIMITS.tracksMax) throw new AppError('conflict', LIBRARY_FULL);
    await insertTracks(tx, rows);
    added += rows.length;
    onAdded(Math.min(start + ROWS_PER_STATEMENT, definitions.length), definitions.length);
  }
  return added;
}
