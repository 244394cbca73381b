import type { TrackId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { LIBRARY_FULL, type NewTrack, openTrackLibrary } from './library-track.ts';
import { insertTracks, listTrackIdentities } from './track-library-store.ts';

/**
 * Adds one track to the library, under the lock of imports; returns its id.
 * @throws AppError where the library has the track, or is full
 */
export async function addTrack(tx: Database, track: NewTrack): Promise<TrackId> {
  const library = openTrackLibrary(await listTrackIdentities(tx));
  if (library.find(track) !== undefined) {
    const sentence = 'There is a track with this name and layout here already.';
    throw new AppError('conflict', sentence, { fields: { configuration: sentence } });
  }
  if (library.size() >= LIMITS.tracksMax) throw new AppError('conflict', LIBRARY_FULL);
  const id = library.add(track);
  await insertTracks(tx, [{ ...track, id }]);
  return id;
}
