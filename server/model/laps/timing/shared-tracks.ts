import type { Database } from '#server/kernel/database/database.ts';
import type { SharedTracks } from './lap-tasks.ts';
import { getCoursesVersion, listCoursesAsJson } from '#server/model/track-sets/course-store.ts';
import { getTracksVersion, listFullTracksAsJson } from '#server/model/tracks/track-store.ts';

/** Shares the courses without a line, as `shareTracks` shares the library. */
export function shareCourses(db: Database): () => Promise<SharedTracks> {
  let shared: SharedTracks | null = null;
  return async () => {
    const version = await getCoursesVersion(db);
    if (shared?.version !== version) shared = { version, json: toSharedJson(await listCoursesAsJson(db)) };
    return shared;
  };
}

/** Shares the library with the worker threads; reads it again only after a change by any copy of the server. */
export function shareTracks(db: Database): () => Promise<SharedTracks> {
  let shared: SharedTracks | null = null;
  return async () => {
    const version = await getTracksVersion(db);
    if (shared?.version !== version) shared = { version, json: toSharedJson(await listFullTracksAsJson(db)) };
    return shared;
  };
}

function toSharedJson(values: readonly string[]): SharedArrayBuffer {
  const text = `[${values.join(',')}]`;
  const memory = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(memory).write(text);
  return memory;
}
