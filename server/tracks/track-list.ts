import { LRUCache } from 'lru-cache';
import { forEachSource } from '#server/kernel/database/for-each-source.ts';
import type { Source } from '#server/kernel/database/database.ts';
import { type CachedResponse, openResponseCache } from '#server/kernel/http/response-cache.ts';
import { singleFlight } from '#server/kernel/single-flight.ts';
import {
  findTrackListVersion,
  type ListedTrackJson,
  listOwnTrackIds,
  listTracksAsJson,
} from './track-list-store.ts';

/** Gives the list of all tracks as a driver or a guest sees it: with the tracks on which they have an entry first. */
export type GetTrackList = (source: Source, userId: string | null) => Promise<CachedResponse>;

export function openTrackList(): GetTrackList {
  const responses = openResponseCache();
  const findVersion = forEachSource(({ pool }) =>
    singleFlight<void, string>(() => findTrackListVersion(pool)),
  );
  // The rows of the current version, for the lists of all drivers: to write them is most of the work.
  const rows = new LRUCache<string, ListedTrackJson[], Source>({
    max: 1,
    fetchMethod: (_version, _stale, { context: { pool } }) => listTracksAsJson(pool),
    ignoreFetchAbort: true,
  });

  return async (source, userId) => {
    const [version, ownTrackIds] = await Promise.all([
      findVersion(source)(),
      userId === null ? [] : listOwnTrackIds(source.pool, userId),
    ]);
    // All drivers without an entry, and guests, get the same list.
    return await responses(ownTrackIds.join(), version, async () =>
      toList(await rows.forceFetch(version, { context: source }), new Set(ownTrackIds)),
    );
  };
}

function toList(tracks: readonly ListedTrackJson[], ownIds: ReadonlySet<string>): string {
  const own = tracks.filter(({ id }) => ownIds.has(id));
  const others = tracks.filter(({ id }) => !ownIds.has(id));
  return `[${[...own.map((track) => withEntry(track, true)), ...others.map((track) => withEntry(track, false))].join()}]`;
}

function withEntry({ json }: ListedTrackJson, hasOwnEntry: boolean): string {
  return `${json.slice(0, -1)},"hasOwnEntry":${hasOwnEntry}}`;
}
