import { gpx as toGeoJson } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { parse as parseCsv } from 'csv-parse';
import { XMLParser } from 'fast-xml-parser';
import Papa from 'papaparse';
import { SaxesParser } from 'saxes';
import { inferSchema, initParser } from 'udsv';
import { at } from '#engine/fix-columns.ts';
import { readLapFile } from '#engine/formats/recognise.ts';

/** Reads time, latitude, longitude and speed of every row as numbers, and answers with a checksum of them. */
export type Reader = (bytes: Uint8Array) => number | Promise<number>;

/** Reads the file as Pitboard does before it looks for laps. */
export function readWithPitboard(bytes: Uint8Array): number {
  const { fixes } = readLapFile(bytes);
  let total = 0;
  for (let index = 0; index < fixes.length; index++) {
    const [lat, lon, speed] = [
      at(fixes.lats, index),
      at(fixes.lons, index),
      at(fixes.speedsMetersPerSecond, index),
    ];
    total += checksum(at(fixes.timesMs, index), lat, lon, speed);
  }
  return total;
}

/** Reads a RaceChrono file with packages for tables. They get its rows without the preamble, which none of them could skip. */
export const CSV_READERS: Record<string, Reader> = {
  uDSV: withUdsv,
  papaparse: withPapaparse,
  'csv-parse': withCsvParse,
};

/** Reads GPX 1.1 with packages for XML. */
export const GPX_READERS: Record<string, Reader> = {
  saxes: withSaxes,
  'fast-xml-parser': withFastXmlParser,
  'togeojson, xmldom': withToGeoJson,
};

/** Adds the time as so small a share that the last digit of a rounded time stamp does not show in the sum. */
function checksum(timeMs: number, lat: number, lon: number, speed: number): number {
  return timeMs / 1e9 + lat + lon + speed;
}

// A lap timer needs these columns. Names repeat, so the packages read rows as lists and not as objects.
const TIMESTAMP = 0;
const LATITUDE = 10;
const LONGITUDE = 11;
const SPEED = 13;
const HEADER_LINES = 12;

function checksumOfRow(row: readonly string[]): number {
  return checksum(
    Number(row[TIMESTAMP]) * 1000,
    Number(row[LATITUDE]),
    Number(row[LONGITUDE]),
    Number(row[SPEED]),
  );
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function withoutPreamble(text: string): string {
  let start = 0;
  for (let line = 0; line < HEADER_LINES; line++) start = text.indexOf('\n', start) + 1;
  return text.slice(start);
}

function withUdsv(bytes: Uint8Array): number {
  const rows = withoutPreamble(decode(bytes));
  const columns = rows.slice(0, rows.indexOf('\r\n')).split(',');
  // It takes the first line for a header, whose names have to differ.
  const table = `${columns.map((_, index) => `c${index}`).join(',')}\r\n${rows}`;
  const parser = initParser(inferSchema(table));
  let total = 0;
  for (const row of parser.stringArrs(table)) total += checksumOfRow(row);
  return total;
}

function withPapaparse(bytes: Uint8Array): number {
  let total = 0;
  Papa.parse(withoutPreamble(decode(bytes)), {
    delimiter: ',',
    skipEmptyLines: true,
    step: ({ data }) => {
      total += checksumOfRow(data);
    },
  });
  return total;
}

async function withCsvParse(bytes: Uint8Array): Promise<number> {
  const parser = parseCsv({ skip_empty_lines: true });
  parser.end(withoutPreamble(decode(bytes)));
  let total = 0;
  for await (const row of parser) total += checksumOfRow(row);
  return total;
}

function withSaxes(bytes: Uint8Array): number {
  let total = 0;
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'trkpt') total += checksum(0, Number(attributes['lat']), Number(attributes['lon']), 0);
    text = '';
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'time') total += checksum(Date.parse(text), 0, 0, 0);
    else if (name.endsWith('speed')) total += checksum(0, 0, 0, Number(text));
  });
  parser.write(decode(bytes)).close();
  return total;
}

type GpxPoint = {
  '@_lat': string;
  '@_lon': string;
  time: string;
  extensions: { 'gpxtpx:TrackPointExtension': { 'gpxtpx:speed': string } };
};

function withFastXmlParser(bytes: Uint8Array): number {
  const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false });
  const document: { gpx: { trk: { trkseg: { trkpt: GpxPoint[] } } } } = parser.parse(decode(bytes));
  let total = 0;
  for (const point of document.gpx.trk.trkseg.trkpt) {
    const speed = Number(point.extensions['gpxtpx:TrackPointExtension']['gpxtpx:speed']);
    total += checksum(Date.parse(point.time), Number(point['@_lat']), Number(point['@_lon']), speed);
  }
  return total;
}

type GeoJsonTrack = {
  geometry: { coordinates: [lon: number, lat: number][] };
  properties: { coordinateProperties: { times: string[]; speeds: number[] } };
};

function withToGeoJson(bytes: Uint8Array): number {
  const [track]: GeoJsonTrack[] = toGeoJson(
    new DOMParser().parseFromString(decode(bytes), 'text/xml'),
  ).features;
  if (track === undefined) throw new Error('togeojson has found no track.');
  const { times, speeds } = track.properties.coordinateProperties;
  let total = 0;
  for (const [index, [lon, lat]] of track.geometry.coordinates.entries()) {
    total += checksum(Date.parse(times[index] ?? ''), lat, lon, speeds[index] ?? Number.NaN);
  }
  return total;
}
