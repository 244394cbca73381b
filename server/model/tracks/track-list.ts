import { LRUCache } from 'lru-cache';
import type { UserId } from '#contract/ids.ts';
import { forEachSource } from '#server/kernel/database/for-each-source.ts';
import type { Source } from '#server/kernel/database/database.ts';
import { type CachedResponse, openResponseCache } from '#server/kernel/http/response-cache.ts';
import { singleFlight } from '#server/kernel/http/single-flight.ts';
import {
  findTrackListVersion,
  type ListedTrackJson,
  listOwnTrackIds,
  listTracksAsJson,
  listTrackVersions,
} from './track-list-store.ts';

/** Returns the list of all tracks; the tracks on which the driver has an entry come first. */
export type GetTrackList = (source: Source, userId: UserId | null) => Promise<CachedResponse>;

export function openTrackList(): GetTrackList {
  const responses = openResponseCache();
  const findVersion = forEachSource(({ pool }) =>
    singleFlight<void, string>(() => findTrackListVersion(pool)),
  );
  const readRows = forEachSource(({ pool }) => keepRows(pool));
  // The lists of all drivers share the rows of the current version.
  const rows = new LRUCache<string, ListedTrackJson[], Source>({
    max: 1,
    fetchMethod: (_version, _stale, { context: source }) => readRows(source)(),
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

/** Reads the list, and of the rows only those that have changed, because most of the work is writing their JSON. */
function keepRows(pool: Source['pool']): () => Promise<ListedTrackJson[]> {
  let kept = new Map<string, { version: string; json: string }>();
  return async () => {
    const listed = await listTrackVersions(pool);
    const known = kept;
    const changed = listed.filter(({ id, version }) => known.get(id)?.version !== version);
    const ids = changed.map(({ id }) => id);
    const written = new Map((await listTracksAsJson(pool, ids)).map(({ id, json }) => [id, json]));
    const rows = listed.flatMap(({ id, version }) => {
      const json = known.get(id)?.version === version ? known.get(id)?.json : written.get(id);
      return json === undefined ? [] : [{ id, version, json }];
    });
    kept = new Map(rows.map(({ id, ...row }) => [id, row]));
    return rows;
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
