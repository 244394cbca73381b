import { at } from '../fix-columns.ts';
import { oneLine, type ExportedDrive } from './exported-drive.ts';
import { DEGREE_DECIMALS, formatDecimal, formatIsoTime, inPieces, isWhole } from './exported-numbers.ts';

/**
 * Writes a drive as GPX 1.1, with the speed in Garmin's extension and a segment for every part. GPX has no other clock
 * than the calendar: times without a date count from 1970-01-01.
 */
export function writeGpx(drive: ExportedDrive): Iterable<string> {
  return inPieces(writeLines(drive));
}

function* writeLines(drive: ExportedDrive): Generator<string> {
  const { fixes, partStarts } = drive;
  const isUtc = drive.clock === 'utc';
  yield (
    '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Pitboard" xmlns="http://www.topografix.com/GPX/1/1"' +
    ' xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\n' +
    `<trk><name>${escapeXml(oneLine(drive.title))}</name>\n<trkseg>\n`
  );
  const starts = new Set(partStarts.slice(1));
  for (let fix = 0; fix < fixes.length; fix += 1) {
    if (starts.has(fix)) yield '</trkseg>\n<trkseg>\n';
    if (!isWhole(fixes, fix)) continue;
    const lat = formatDecimal(at(fixes.lats, fix), DEGREE_DECIMALS);
    const lon = formatDecimal(at(fixes.lons, fix), DEGREE_DECIMALS);
    const time = formatIsoTime(at(fixes.timesMs, fix), isUtc);
    yield `<trkpt lat="${lat}" lon="${lon}"><time>${time}</time>${writeSpeed(at(fixes.speedsMetersPerSecond, fix))}</trkpt>\n`;
  }
  yield '</trkseg>\n</trk>\n</gpx>\n';
}

function writeSpeed(metersPerSecond: number): string {
  if (Number.isNaN(metersPerSecond)) return '';
  const speed = formatDecimal(metersPerSecond, 4);
  return `<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>${speed}</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
