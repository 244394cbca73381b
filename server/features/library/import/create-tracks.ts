import type { UserId } from '#contract/ids.ts';
import type { Viewer } from '#contract/people/labels.ts';
import type { CreatedTrack } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { CheckedTrack } from './import-tasks.ts';
import { AppError } from '#server/kernel/errors.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { correctTrack } from '../correct-track.ts';
import { compareTracks } from './compare-tracks.ts';
import {
  LIBRARY_FULL,
  type NewTrack,
  openTrackLibrary,
  type TrackLibrary,
} from '#server/model/tracks/library-track.ts';
import { insertTracks, listTrackIdentities, lockImports } from '#server/model/tracks/track-library-store.ts';

/**
 * Adds checked tracks to the library and returns a result for each row. All new tracks are added in one transaction; a row with
 * a problem does not stop the others. A track that the library has is updated by itself where its row asks for that, and
 * otherwise returned with its differences.
 */
export async function createTracks(
  db: Database,
  viewer: Viewer,
  checked: readonly CheckedTrack[],
): Promise<CreatedTrack[]> {
  const results = await addTracks(db, viewer.id, checked);
  const answers: CreatedTrack[] = [];
  for (const [index, result] of results.entries()) {
    const track = checked[index];
    const isKnown = result.status === 'exists' && track !== undefined && track.definition !== null;
    answers.push(isKnown ? await updateOrCompare(db, viewer, { result, track }) : result);
  }
  return answers;
}

async function updateOrCompare(
  db: Database,
  viewer: Viewer,
  { result, track }: { result: CreatedTrack; track: CheckedTrack },
): Promise<CreatedTrack> {
  const imported: NewTrack = JSON.parse(track.definition ?? '{}');
  const known = result.trackId === undefined ? undefined : await findTrack(db, result.trackId);
  if (!known) return result;
  const { update } = track;
  if (update.length === 0) return { ...result, differences: compareTracks(known, imported) };
  try {
    const correction = Object.fromEntries(update.map((field) => [field, imported[field]]));
    const { sessionsToRetime } = await correctTrack(db, viewer, known.id, correction);
    const retimed = sessionsToRetime > 0 ? ` ${sessionsToRetime} sessions will be timed again.` : '';
    return { ...result, status: 'updated', message: `The track was updated.${retimed}` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...result, message: error.message, differences: compareTracks(known, imported) };
  }
}

async function addTracks(
  db: Database,
  userId: UserId,
  checked: readonly CheckedTrack[],
): Promise<CreatedTrack[]> {
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    const library = openTrackLibrary(await listTrackIdentities(tx));
    const results = checked.map((track) => decide(library, track));
    for (let start = 0; start < checked.length; start += ROWS_PER_STATEMENT)
      await insertTracks(tx, newRows(checked, results, start));
    const count = (status: CreatedTrack['status']) => results.filter((row) => row.status === status).length;
    const counts = { success: count('success'), exists: count('exists'), error: count('error') };
    await insertAuditEntry(tx, { userId, action: 'create-tracks', counts });
    return results;
  });
}

// Serializing more outlines at once would block the event loop.
const ROWS_PER_STATEMENT = 200;

function decide(library: TrackLibrary, track: CheckedTrack): CreatedTrack {
  const { row, name, configuration, location, country, centerLat, centerLon, problem } = track;
  const answer = { row, name, configuration, location, country };
  if (problem !== null || name === null || centerLat === null || centerLon === null) {
    return { ...answer, status: 'error', message: problem ?? 'This track cannot be read.' };
  }
  const identity = { name, configuration, centerLat, centerLon };
  const existing = library.find(identity);
  if (existing !== undefined) {
    return {
      ...answer,
      status: 'exists',
      message: 'This track is in the library already.',
      trackId: existing,
    };
  }
  if (track.update.length > 0)
    return { ...answer, status: 'error', message: 'The library does not have this track any more.' };
  if (library.size() >= LIMITS.tracksMax) return { ...answer, status: 'error', message: LIBRARY_FULL };
  return { ...answer, status: 'success', message: 'The track was added.', trackId: library.add(identity) };
}

function newRows(checked: readonly CheckedTrack[], results: readonly CreatedTrack[], start: number) {
  return checked.slice(start, start + ROWS_PER_STATEMENT).flatMap(({ definition }, index) => {
    const { status, trackId: id } = results[start + index] ?? {};
    if (status !== 'success' || definition === null || id === undefined) return [];
    const track: NewTrack = JSON.parse(definition);
    return [{ ...track, id }];
  });
}
