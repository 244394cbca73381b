import type { LapId, TrackId } from '#contract/ids.ts';
import type { Track } from '#contract/tracks/schemas.ts';

// Tracks that a driver has taken along: the browser keeps them, so that a drive is timed where there is no network.

/** The lap that the gap is measured against, as positions over time from one crossing of the line to the next. */
export type KeptLap = {
  kind: 'own' | 'rival' | 'record';
  lapId: LapId;
  driverName: string;
  lapTimeMs: number;
  /** The car, and for laps of the driver the date. */
  carName: string;
  sessionDate: string;
  uncertaintyMs: number;
  /** Since the start of the lap. */
  timesMs: number[];
  lats: number[];
  lons: number[];
  speedsKmh: number[];
};

export type KeptTrack = {
  track: Track;
  laps: KeptLap[];
  keptAtMs: number;
};

const CACHE_NAME = 'drive-tracks';
const FOLDER = '/drive-tracks-of-this-browser/';
/** Raised with every change of what is kept; entries of another version are left out until they are fetched again. */
const VERSION = 1;

/** Returns whether this browser keeps tracks: it needs HTTPS for that. */
export function keepsTracks(): boolean {
  return typeof caches !== 'undefined';
}

export async function keepTrack(kept: KeptTrack): Promise<void> {
  const cache = await caches.open(CACHE_NAME);
  const body = JSON.stringify({ version: VERSION, ...kept });
  await cache.put(
    toUrl(kept.track.id),
    new Response(body, { headers: { 'content-type': 'application/json' } }),
  );
}

export async function removeKeptTrack(trackId: TrackId): Promise<void> {
  if (!keepsTracks()) return;
  await (await caches.open(CACHE_NAME)).delete(toUrl(trackId));
}

/** Lists the tracks taken along by name. An entry that cannot be read is left out. */
export async function listKeptTracks(): Promise<KeptTrack[]> {
  if (!keepsTracks()) return [];
  const cache = await caches.open(CACHE_NAME);
  const found = (await cache.keys()).map(async (request) => readKept(await cache.match(request)));
  return (await Promise.all(found))
    .filter((kept) => kept !== null)
    .toSorted((one, other) => one.track.name.localeCompare(other.track.name, 'en'));
}

export async function isKept(trackId: TrackId): Promise<boolean> {
  if (!keepsTracks()) return false;
  return (await (await caches.open(CACHE_NAME)).match(toUrl(trackId))) !== undefined;
}

async function readKept(response: Response | undefined): Promise<KeptTrack | null> {
  if (response === undefined) return null;
  try {
    // Only `keepTrack` writes here, and names its version.
    const { version, ...kept }: KeptTrack & { version: number } = await response.json();
    return version === VERSION ? kept : null;
  } catch {
    return null;
  }
}

function toUrl(trackId: TrackId): string {
  return `${FOLDER}${encodeURIComponent(trackId)}`;
}
