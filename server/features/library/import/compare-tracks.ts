import type { TrackDifference, UpdatableField } from '#contract/library/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { middle } from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';

type Definition = Pick<Track, UpdatableField>;

/** Each field of a track has a format; their order is that of the listed differences. */
const FORMATS: { [Field in UpdatableField]: (track: Definition) => string | null } = {
  name: ({ name }) => name,
  configuration: ({ configuration }) => configuration,
  location: ({ location }) => location,
  country: ({ country }) => country,
  lengthMeters: ({ lengthMeters }) => formatNumber(lengthMeters, ' m'),
  radiusMeters: ({ radiusMeters }) => formatNumber(radiusMeters, ' m'),
  centerLat: ({ centerLat }) => formatNumber(centerLat, '°'),
  centerLon: ({ centerLon }) => formatNumber(centerLon, '°'),
  startFinishLine: ({ startFinishLine }) => formatLine(startFinishLine),
  finishLine: ({ finishLine = null }) => formatLine(finishLine),
  sectors: ({ sectors }) => sectors.map(({ name }) => name).join(', ') || null,
  outline: ({ outline }) => (outline ? `${outline.length} points` : null),
};

/** Lists the fields in which an imported track differs from the library's; one that it lacks is no difference. */
export function compareTracks(known: Definition, imported: Definition): TrackDifference[] {
  const differences: TrackDifference[] = [];
  for (const field of listFields()) {
    const after = FORMATS[field](imported);
    if (after === null || JSON.stringify(known[field]) === JSON.stringify(imported[field])) continue;
    const before = FORMATS[field](known);
    differences.push({ field, before, after: before === after ? `${after}, changed` : after });
  }
  return differences;
}

function listFields(): UpdatableField[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys of the literal above.
  return Object.keys(FORMATS) as UpdatableField[];
}

function formatNumber(value: number | null, unit: string): string | null {
  return value === null ? null : `${value}${unit}`;
}

const COORDINATE_DIGITS = 6;

function formatLine(line: TimingLine | null): string | null {
  if (line === null) return null;
  const { lat, lon } = middle(line.a, line.b);
  const towards = line.bearingDeg === null ? '' : `, towards ${Math.round(line.bearingDeg)}°`;
  return `${lat.toFixed(COORDINATE_DIGITS)}, ${lon.toFixed(COORDINATE_DIGITS)}${towards}`;
}
