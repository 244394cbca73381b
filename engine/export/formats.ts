import type { DriveWriter } from './exported-drive.ts';
import { writeGeoJson } from './write-geojson.ts';
import { writeGpx } from './write-gpx.ts';
import { writeRaceChronoCsv } from './write-racechrono.ts';
import { writeVbo } from './write-vbo.ts';

export type ExportFormat = 'vbo' | 'gpx' | 'racechrono' | 'geojson';

/** Lists the formats in which drives are exported, with what the name and the type of such a file are. */
export const EXPORT_FORMATS: Readonly<
  Record<ExportFormat, { write: DriveWriter; suffix: string; mediaType: string }>
> = {
  vbo: { write: writeVbo, suffix: 'vbo', mediaType: 'text/plain; charset=utf-8' },
  gpx: { write: writeGpx, suffix: 'gpx', mediaType: 'application/gpx+xml; charset=utf-8' },
  racechrono: { write: writeRaceChronoCsv, suffix: 'csv', mediaType: 'text/csv; charset=utf-8' },
  geojson: { write: writeGeoJson, suffix: 'geojson', mediaType: 'application/geo+json; charset=utf-8' },
};

export function isExportFormat(text: string): text is ExportFormat {
  return Object.hasOwn(EXPORT_FORMATS, text);
}
