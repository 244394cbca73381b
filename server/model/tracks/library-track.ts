import { type TrackId, trackIdSchema } from '#contract/ids.ts';
import type { ParsedTrack } from '#contract/library/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { type Track, trackSchema } from '#contract/tracks/schemas.ts';
import { distanceMeters } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';
import { timeZoneAt } from './local-time.ts';
import { listedOutline } from './thin-outline.ts';

/** Holds a track for the library, without its id. */
export type NewTrack = Omit<Track, 'id'> & { thinOutline: OutlinePoint[] | null };

const definitionSchema = trackSchema.omit({ id: true });

/** Converts a track without problems to one of the library: adds its time zone, and a thinned outline for lists. */
export function toNewTrack(track: Omit<ParsedTrack, 'row' | 'problems' | 'warnings'>): NewTrack {
  const { centerLat, centerLon, outline } = track;
  const timeZone = timeZoneAt(centerLat ?? Number.NaN, centerLon ?? Number.NaN);
  return {
    ...definitionSchema.parse({ ...track, timeZone }),
    thinOutline: outline && listedOutline(outline),
  };
}

export const LIBRARY_FULL = `The library holds at most ${LIMITS.tracksMax} tracks.`;

export type TrackIdentity = Pick<Track, 'name' | 'configuration' | 'centerLat' | 'centerLon'>;

/** Holds the tracks of the library during an import, with those that the import has added. */
export type TrackLibrary = {
  size: () => number;
  /** Finds the id of the track with this name and configuration within two kilometres. */
  find: (track: TrackIdentity) => TrackId | undefined;
  add: (track: TrackIdentity) => TrackId;
};

// The centres of two layouts of one venue are closer together; two venues of one name are farther apart.
const SAME_PLACE_METERS = 2_000;
// This is more than SAME_PLACE_METERS from north to south, and saves most of the exact calculations.
const SAME_PLACE_DEGREES = 0.02;

export function openTrackLibrary(known: readonly (TrackIdentity & { id: TrackId })[]): TrackLibrary {
  const byNames = new Map<string, (TrackIdentity & { id: TrackId })[]>();
  const ids = new Set<string>();
  const keep = (track: TrackIdentity & { id: TrackId }) => {
    ids.add(track.id);
    const others = byNames.get(joinNames(track));
    if (others) others.push(track);
    else byNames.set(joinNames(track), [track]);
  };
  const newId = idMaker(ids);
  known.forEach(keep);
  return {
    size: () => ids.size,
    find: (track) => byNames.get(joinNames(track))?.find((other) => isSamePlace(track, other))?.id,
    add: (track) => {
      const id = newId(makeSlug(track));
      keep({ ...track, id });
      return id;
    },
  };
}

function joinNames({ name, configuration }: TrackIdentity): string {
  return `${name}\n${configuration ?? ''}`.toLowerCase();
}

function isSamePlace(one: TrackIdentity, other: TrackIdentity): boolean {
  if (Math.abs(one.centerLat - other.centerLat) > SAME_PLACE_DEGREES) return false;
  const meters = distanceMeters(
    { lat: one.centerLat, lon: one.centerLon },
    { lat: other.centerLat, lon: other.centerLon },
  );
  return meters <= SAME_PLACE_METERS;
}

/** Makes ids that are not among `ids`; adds a number at the end where an id is taken. */
function idMaker(ids: ReadonlySet<string>): (slug: string) => TrackId {
  const counts = new Map<string, number>();
  return (slug) => {
    let count = counts.get(slug) ?? 1;
    let id = count === 1 ? slug : `${slug}-${count}`;
    while (ids.has(id)) id = `${slug}-${++count}`;
    counts.set(slug, count);
    return trackIdSchema.parse(id);
  };
}

// An id may have 100 characters; a number may need the rest.
const SLUG_CHARACTERS_MAX = 90;

/** Converts `Circuit de Spa-Francorchamps` and `Grand Prix` to `circuit-de-spa-francorchamps-grand-prix`. */
function makeSlug({ name, configuration }: TrackIdentity): string {
  const slug = `${name} ${configuration ?? ''}`
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARACTERS_MAX)
    .replaceAll(/^-|-$/g, '');
  // A name in another script leaves no letters.
  return slug === '' ? 'track' : slug;
}
