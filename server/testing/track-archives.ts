import { deflateRawSync } from 'node:zlib';
import type { Position } from '#engine/geo.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { writeZip } from '#engine/testing/write-zip.ts';
import type { PublishedSet } from '#server/model/track-sets/published-sets.ts';

// Archives in the form of the Open Racetrack Database, as the host of its repository packs them.

type DrawnLayout = {
  name: string;
  points: readonly Position[];
  attribution?: string;
  kind?: 'trace' | 'network' | 'open';
};

export type DrawnVenue = { name: string; country: string; layouts: readonly DrawnLayout[] };

/** Writes the archive of a commit. */
export function writeVenueArchive(venues: readonly DrawnVenue[]): Buffer {
  const files: [name: string, content: string][] = [['README.md', '# A set']];
  for (const { name, country, layouts } of venues) {
    const folder = `data/${toSlug(country)}/${toSlug(name)}`;
    const listed = layouts.map((layout) => ({
      id: toSlug(layout.name),
      name: layout.name,
      file: `layouts/${toSlug(layout.name)}.geojson`,
    }));
    const missing = { id: 'lost', name: 'Lost', file: null, missingGeometryReason: 'No source.' };
    const venue = {
      schemaVersion: 1,
      name,
      country: { code: 'XX', name: country, slug: toSlug(country) },
      layouts: [...listed, missing],
    };
    files.push([`${folder}/track.json`, JSON.stringify(venue)]);
    for (const layout of layouts)
      files.push([`${folder}/layouts/${toSlug(layout.name)}.geojson`, writeLayout(layout)]);
    files.push([`sources/${toSlug(name)}/osm.json`, '{"elements": []}']);
  }
  const entries = files.map(([name, content]) => [`set-1/${name}`, Buffer.from(content)] as const);
  return Buffer.from(writeZip(entries, (bytes) => deflateRawSync(bytes)));
}

const toSlug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function writeLayout({ points, attribution, kind = 'trace' }: DrawnLayout): string {
  const way = points.map(({ lat, lon }) => [lon, lat]);
  const isNetwork = kind === 'network';
  return JSON.stringify({
    type: 'FeatureCollection',
    metadata: {
      schemaVersion: isNetwork ? 2 : 1,
      ...(isNetwork && { geometryKind: 'network' }),
      license: 'ODbL-1.0',
      attribution: attribution ?? '© OpenStreetMap contributors',
      closed: kind === 'trace',
      timingStatus: 'missing',
    },
    features: [
      {
        type: 'Feature',
        id: 'trace',
        properties: { role: 'trace', sourceIds: ['osm'] },
        geometry: isNetwork
          ? { type: 'MultiLineString', coordinates: [way, way] }
          : { type: 'LineString', coordinates: way },
      },
    ],
  });
}

const MUNICH = { lat: 48.1, lon: 11.6 };

function drawKartTrack(center: Position, isReversed = false): Position[] {
  const points = (kartTrackAt(center).outline ?? []).map(([lat, lon]) => ({ lat, lon }));
  const closed = [...points, ...points.slice(0, 1)];
  return isReversed ? closed.toReversed() : closed;
}

/** Holds four layouts near Munich, one of which is drawn twice and two are no lap, and one each near Madrid and Lyon. */
export const VENUE_ARCHIVE = writeVenueArchive([
  {
    name: 'Oval of Munich',
    country: 'Germany',
    layouts: [
      { name: 'Full', points: drawKartTrack(MUNICH, true) },
      { name: 'Drawn twice', points: drawKartTrack({ lat: MUNICH.lat + 0.00002, lon: MUNICH.lon }) },
      { name: 'Both', points: drawKartTrack(MUNICH), kind: 'network' },
      { name: 'Hill', points: drawKartTrack(MUNICH).slice(0, 20), kind: 'open' },
    ],
  },
  {
    name: 'Known Oval',
    country: 'Spain',
    layouts: [{ name: 'Main', points: drawKartTrack({ lat: 40, lon: -3.7 }, true) }],
  },
  {
    name: 'Oval of Lyon',
    country: 'France',
    layouts: [
      {
        name: 'Course',
        points: drawKartTrack({ lat: 45.7, lon: 4.8 }),
        // The database refuses the zero character.
        attribution: '© IGN,\u0000survey of 2024',
      },
    ],
  },
]);

/** Describes a set whose archive is at this URL. */
export function describeTestSet(archiveUrl: string, changes: Partial<PublishedSet> = {}): PublishedSet {
  return {
    name: 'open-racetrack-db',
    title: 'Open Racetrack Database',
    summary: '2 venues, 3 layouts',
    licence: 'ODbL 1.0',
    attribution: '© OpenStreetMap contributors',
    sourceUrl: 'https://github.com/markthebault/open-racetrack-db',
    commit: '0123456789abcdef',
    approximateBytes: null,
    archiveUrl,
    archiveBytesMax: 1_000_000,
    files: /^data\/[^/]+\/[^/]+\/(?:track\.json|layouts\/[^/]+\.geojson)$/,
    hasVenueFiles: true,
    layoutsMin: 2,
    ...changes,
  };
}
