import type { Database } from '#server/db/database.ts';
import type { SharedTracks } from '#server/workers/lap-tasks.ts';
import { getTracksVersion, listFullTracks } from './track-store.ts';

/** Gives the library for the worker threads: read again only after it has changed, by whichever copy of the server. */
export function shareTracks(db: Database): () => Promise<SharedTracks> {
  let shared: SharedTracks | null = null;
  return async () => {
    const version = await getTracksVersion(db);
    if (shared?.version !== version) shared = { version, json: toSharedJson(await listFullTracks(db)) };
    return shared;
  };
}

function toSharedJson(value: unknown): SharedArrayBuffer {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8');
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}
