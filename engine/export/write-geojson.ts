import { at } from '../fix-columns.ts';
import { oneLine, type ExportedDrive } from './exported-drive.ts';
import {
  DEGREE_DECIMALS,
  formatDecimal,
  formatIsoTime,
  hasValues,
  inPieces,
  isWhole,
} from './exported-numbers.ts';

/**
 * Writes a drive as GeoJSON (RFC 7946): a line for every part, its times and speeds in `coordinateProperties`, one entry
 * for every position, as converters of GPX write them. Times without a date count from 1970-01-01. The laps are in the
 * properties of the first line.
 */
export function writeGeoJson(drive: ExportedDrive): Iterable<string> {
  return inPieces(writeFeatures(drive));
}

function* writeFeatures(drive: ExportedDrive): Generator<string> {
  const { fixes, partStarts } = drive;
  yield '{"type":"FeatureCollection","features":[';
  let separator = '\n';
  for (const [part, start] of partStarts.entries()) {
    const rows = listWhole(drive, start, partStarts[part + 1] ?? fixes.length);
    if (rows.length === 0) continue;
    yield `${separator}{"type":"Feature","properties":{"name":${JSON.stringify(oneLine(drive.title))}`;
    if (separator === '\n') yield `,"laps":${JSON.stringify(describeLaps(drive))}`;
    yield* writeProperties(drive, rows);
    yield* writeGeometry(drive, rows);
    yield '}';
    separator = ',\n';
  }
  yield ']}\n';
}

function listWhole({ fixes }: ExportedDrive, start: number, end: number): number[] {
  const rows: number[] = [];
  for (let fix = start; fix < end; fix += 1) if (isWhole(fixes, fix)) rows.push(fix);
  return rows;
}

function describeLaps({ laps, clock }: ExportedDrive) {
  return laps.map(({ number, startTimeMs, lapTimeMs }) => ({
    number,
    time: formatIsoTime(startTimeMs, clock === 'utc'),
    lapTimeMs: Math.round(lapTimeMs),
  }));
}

function* writeProperties({ fixes, clock }: ExportedDrive, rows: readonly number[]): Generator<string> {
  const { timesMs, speedsMetersPerSecond: speeds } = fixes;
  yield ',"coordinateProperties":{"times":';
  yield* writeArray(rows, (fix) => `"${formatIsoTime(at(timesMs, fix), clock === 'utc')}"`);
  if (hasValues(speeds)) {
    yield ',"speeds":';
    yield* writeArray(rows, (fix) =>
      Number.isNaN(at(speeds, fix)) ? 'null' : formatDecimal(at(speeds, fix), 4),
    );
  }
  yield '}}';
}

function* writeGeometry({ fixes }: ExportedDrive, rows: readonly number[]): Generator<string> {
  const position = (fix: number) =>
    `[${formatDecimal(at(fixes.lons, fix), DEGREE_DECIMALS)},${formatDecimal(at(fixes.lats, fix), DEGREE_DECIMALS)}]`;
  const [only, ...others] = rows.slice(0, 2);
  // A line has two positions at least.
  if (only !== undefined && others.length === 0) {
    yield `,"geometry":{"type":"Point","coordinates":${position(only)}}`;
    return;
  }
  yield ',"geometry":{"type":"LineString","coordinates":';
  yield* writeArray(rows, position);
  yield '}';
}

function* writeArray(rows: readonly number[], write: (fix: number) => string): Generator<string> {
  let separator = '[';
  for (const fix of rows) {
    yield separator + write(fix);
    separator = ',';
  }
  yield ']';
}
