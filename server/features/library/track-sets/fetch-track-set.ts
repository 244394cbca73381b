import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrackSetResult } from '#contract/tracks/sets.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { insertNotices } from '#server/model/notices/notice-store.ts';
import { type PublishedSet, toOrigin } from '#server/model/track-sets/published-sets.ts';
import {
  countCourses,
  insertCourses,
  listCoursesAsJson,
  type NewCourse,
} from '#server/model/track-sets/course-store.ts';
import { saveInstalled, type SetProgress, takeRequests } from '#server/model/track-sets/track-set-store.ts';
import { LIBRARY_FULL, type NewTrack, openTrackLibrary } from '#server/model/tracks/library-track.ts';
import { insertTracks, listTrackIdentities, lockImports } from '#server/model/tracks/track-library-store.ts';
import { listFullTracksAsJson } from '#server/model/tracks/track-store.ts';
import { downloadArchive, removeArchive } from './download-archive.ts';
import {
  type PublishedRows,
  sortOutPublishedSet,
  type SortOutPublishedTask,
} from './sort-out-published-set.ts';

export type FetchDeps = {
  db: Database;
  /** Archives on their way are kept here, also over a restart. */
  downloadFolder: string;
  version: string;
  allowsLoopback: boolean;
  onProgress: (progress: SetProgress) => void;
  signal?: AbortSignal;
  /** A server passes a function that runs in another thread, to keep this one free. */
  sortOut?: (
    task: SortOutPublishedTask,
    onFile: (done: number, total: number) => void,
  ) => Promise<PublishedRows>;
};

/**
 * Fetches a published set, reads it whole, and adds what is not here: all of it or, after a failure, nothing.
 * @throws AppError with a sentence for the person who started it
 */
export async function fetchTrackSet(deps: FetchDeps, set: PublishedSet): Promise<TrackSetResult> {
  const { db, downloadFolder, onProgress } = deps;
  await mkdir(downloadFolder, { recursive: true, mode: 0o700 });
  const path = join(downloadFolder, `${set.name}-${set.commit.slice(0, 12)}.zip`);
  await downloadArchive({
    ...deps,
    url: set.archiveUrl,
    path,
    bytesMax: set.archiveBytesMax,
    onProgress: (done, total) => onProgress({ state: 'fetching', done, total }),
  });
  try {
    const rows = await readRows(deps, set, path);
    const result = await db.transaction((tx) => addRows(tx, set, rows, onProgress));
    await removeArchive(path);
    return result;
  } catch (error) {
    // An archive that is not the set is not continued.
    if (error instanceof AppError && error.code === 'invalid_input') await removeArchive(path);
    throw error;
  }
}

async function readRows(
  { db, onProgress, sortOut = sortOutPublishedSet }: FetchDeps,
  { files, hasVenueFiles, layoutsMin }: PublishedSet,
  path: string,
): Promise<PublishedRows> {
  const [library, courses] = [await listFullTracksAsJson(db), await listCoursesAsJson(db)];
  const form = { files, hasVenueFiles, layoutsMin };
  return await sortOut({ path, form, library, courses }, (done, total) =>
    onProgress({ state: 'reading', done, total }),
  );
}

// Serializing more outlines at once would block the event loop.
const ROWS_PER_STATEMENT = 200;

async function addRows(
  tx: Database,
  set: PublishedSet,
  rows: PublishedRows,
  onProgress: (progress: SetProgress) => void,
): Promise<TrackSetResult> {
  await lockImports(tx);
  const total = rows.tracks.length + rows.courses.length;
  const tracks = await addTracks(tx, set, rows.tracks, (done) =>
    onProgress({ state: 'adding', done, total }),
  );
  if ((await countCourses(tx)) + rows.courses.length > LIMITS.coursesMax)
    throw new AppError(
      'conflict',
      `All sets together may hold ${LIMITS.coursesMax} courses. Remove one first.`,
    );
  for (let start = 0; start < rows.courses.length; start += ROWS_PER_STATEMENT) {
    const some = rows.courses.slice(start, start + ROWS_PER_STATEMENT).map(({ json, attribution }) => {
      const course: Omit<NewCourse, 'setName' | 'origin'> = JSON.parse(json);
      return { ...course, setName: set.name, origin: describeOrigin(set, attribution) };
    });
    await insertCourses(tx, some);
    onProgress({ state: 'adding', done: rows.tracks.length + start + some.length, total });
  }
  const { known, duplicates, leftOut } = rows;
  const result = { tracks, courses: rows.courses.length, known, duplicates, leftOut };
  await saveInstalled(tx, { name: set.name, commit: set.commit, result });
  await notifyRequesters(tx, set);
  return result;
}

function describeOrigin(set: PublishedSet, attribution: string | null) {
  return { ...toOrigin(set), ...(attribution !== null && { attribution }) };
}

/** Adds the tracks that the library still lacks: another import may have added some of them meanwhile. */
async function addTracks(
  tx: Database,
  set: PublishedSet,
  rows: PublishedRows['tracks'],
  onAdded: (done: number) => void,
): Promise<number> {
  const library = openTrackLibrary(await listTrackIdentities(tx));
  let added = 0;
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT).flatMap(({ json, attribution }) => {
      const track: NewTrack = JSON.parse(json);
      if (library.find(track) !== undefined) return [];
      return [{ ...track, origin: describeOrigin(set, attribution), id: library.add(track) }];
    });
    if (library.size() > LIMITS.tracksMax) throw new AppError('conflict', LIBRARY_FULL);
    await insertTracks(tx, some);
    added += some.length;
    onAdded(start + some.length);
  }
  return added;
}

async function notifyRequesters(tx: Database, { name, title }: PublishedSet): Promise<void> {
  const nowhere = { trackId: null, eventId: null, otherUserId: null, lapId: null, comparedLapId: null };
  const userIds = await takeRequests(tx, name);
  await insertNotices(
    tx,
    userIds.map((userId) => ({ ...nowhere, userId, kind: 'tracks_fetched' as const, payload: { title } })),
  );
}
