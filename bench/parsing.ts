import { readFileSync } from 'node:fs';
import { parse as csvParse } from 'csv-parse';
import { XMLParser } from 'fast-xml-parser';
import Papa from 'papaparse';
import process from 'node:process';
import { SaxesParser } from 'saxes';
import { inferSchema, initParser } from 'udsv';
import { readLapFile } from '#engine/formats/recognise.ts';
import { simulateDrive } from '#engine/testing/drive.ts';
import type { SimulatedDrive } from '#engine/testing/drive.ts';
import { writeGpx } from '#engine/testing/write-gpx.ts';
import { writeRaceChronoV3 } from '#engine/testing/write-racechrono.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import type { Track } from '#engine/track.ts';

/**
 * From bytes to laps, against packages that only read the same columns. One RaceChrono v3 file of 30 columns and one hour of GPX at
 * 25 Hz, both driven by the simulated driver with a fixed seed. `--megabytes 120` makes the CSV larger; 30 otherwise.
 */
export async function run(): Promise<void> {
  const track = benchTrack();
  await compare(csvBytes(track, wantedMegabytes()), 'RaceChrono v3', track, CSV_RIVALS);
  await compare(gpxBytes(track), 'GPX, 1 h at 25 Hz', track, GPX_RIVALS);
}

type Rival = { name: string; read: (bytes: Uint8Array) => number | Promise<number> };

/** Each reads time, latitude, longitude and speed of every row as numbers, and answers with a checksum of them. */
const CSV_RIVALS: readonly Rival[] = [
  { name: 'uDSV', read: withUdsv },
  { name: 'papaparse', read: withPapaparse },
  { name: 'csv-parse', read: withCsvParse },
];

const GPX_RIVALS: readonly Rival[] = [
  { name: 'saxes', read: withSaxes },
  { name: 'fast-xml-parser', read: withFastXmlParser },
];

const RUNS = 5;

async function compare(
  bytes: Uint8Array,
  title: string,
  track: Track,
  rivals: readonly Rival[],
): Promise<void> {
  const own: Rival[] = [
    { name: 'Pitboard: bytes to laps', read: (data) => timeLaps(openLapFile(data), track).laps.length },
    { name: 'Pitboard: bytes to fixes', read: (data) => checksumOfFixes(data) },
  ];
  const megabytes = bytes.length / 1e6;
  console.log(
    `${title}: ${megabytes.toFixed(1)} MB, ${readLapFile(bytes).fixes.length.toLocaleString('en')} fixes`,
  );
  const rows = [];
  for (const { name, read } of [...own, ...rivals]) {
    const { milliseconds, peakMegabytes, result } = await measure(() => read(bytes));
    rows.push({
      reader: name,
      milliseconds,
      megabytesPerSecond: (1000 * megabytes) / milliseconds,
      peakMegabytes,
      result,
    });
  }
  const whole = rows[0]?.milliseconds ?? Number.NaN;
  console.table(
    rows.map(({ reader, milliseconds, megabytesPerSecond, peakMegabytes, result }) => ({
      reader,
      ms: Math.round(milliseconds),
      'MB/s': Math.round(megabytesPerSecond),
      'times slower than bytes to laps': (milliseconds / whole).toFixed(1),
      'extra memory, MB': Math.round(peakMegabytes),
      'laps or checksum': Math.round(result * 1e3) / 1e3,
    })),
  );
}

/** The median of some runs, after one to warm up, and how much the first one added to the memory of the process at most. */
async function measure(work: () => number | Promise<number>) {
  globalThis.gc?.();
  const before = process.memoryUsage();
  let result = await work();
  const after = process.memoryUsage();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    result = await work();
    times.push(performance.now() - start);
  }
  const peakMegabytes = (after.heapUsed + after.external - before.heapUsed - before.external) / 1e6;
  return { milliseconds: times.toSorted((a, b) => a - b)[RUNS >> 1] ?? Number.NaN, peakMegabytes, result };
}

function wantedMegabytes(): number {
  const flag = process.argv.indexOf('--megabytes');
  return flag < 0 ? 30 : Number(process.argv[flag + 1]);
}

function benchTrack(): Track {
  const tracks = JSON.parse(readFileSync(new URL('../data/tracks.json', import.meta.url), 'utf8')) as Track[];
  const track = tracks.find(({ outline, startFinishLine }) => outline !== null && startFinishLine !== null);
  if (track === undefined)
    throw new Error('data/tracks.json has no track with an outline and a start/finish line.');
  return track;
}

// A row of 30 columns; four sensor rows for every fix.
const BYTES_PER_ROW = 197;
const SENSOR_RATE_HZ = 100;

function csvBytes(track: Track, megabytes: number): Uint8Array {
  const seconds = (megabytes * 1e6) / BYTES_PER_ROW / SENSOR_RATE_HZ;
  return new TextEncoder().encode(writeRaceChronoV3(drive(track, seconds), { sensorRateHz: SENSOR_RATE_HZ }));
}

function gpxBytes(track: Track): Uint8Array {
  return new TextEncoder().encode(writeGpx(drive(track, 3600)));
}

/** About so many seconds of driving. */
function drive(track: Track, seconds: number): SimulatedDrive {
  const oneLap = simulateDrive(track, { seed: 1, laps: 2 }).trueLaps[1]?.lapTimeMs ?? Number.NaN;
  const laps = Math.max(1, Math.round((1000 * seconds) / oneLap));
  return simulateDrive(track, {
    seed: 1,
    laps,
    receiver: { rateHz: 25, noiseMeters: 0.02, timeStampStepMs: 1 },
  });
}

function checksumOfFixes(bytes: Uint8Array): number {
  const { fixes } = readLapFile(bytes);
  return sum(fixes.lats) + sum(fixes.lons) + sum(fixes.speedsMetersPerSecond);
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Where the columns are that a lap timer needs. Names repeat, so the packages read rows as lists and not as objects. */
const TIMESTAMP = 0;
const LATITUDE = 10;
const LONGITUDE = 11;
const SPEED = 13;
const HEADER_LINES = 12;

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function withoutPreamble(text: string): string {
  let at = 0;
  for (let line = 0; line < HEADER_LINES; line++) at = text.indexOf('\n', at) + 1;
  return text.slice(at);
}

function checksumOfRow(row: readonly unknown[]): number {
  return Number(row[TIMESTAMP]) * 0 + Number(row[LATITUDE]) + Number(row[LONGITUDE]) + Number(row[SPEED]);
}

function withUdsv(bytes: Uint8Array): number {
  const text = withoutPreamble(decode(bytes));
  const columns = text.slice(0, text.indexOf('\r\n')).split(',').length;
  const header = Array.from({ length: columns }, (_, index) => `c${index}`).join(',');
  const table = `${header}\r\n${text}`;
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
  const parser = csvParse({ skip_empty_lines: true });
  parser.end(withoutPreamble(decode(bytes)));
  let total = 0;
  for await (const row of parser) total += checksumOfRow(row as string[]);
  return total;
}

function withSaxes(bytes: Uint8Array): number {
  let total = 0;
  let text = '';
  let timeMs = 0;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'trkpt') total += Number(attributes['lat']) + Number(attributes['lon']);
    text = '';
  });
  parser.on('text', (piece) => (text += piece));
  parser.on('closetag', ({ name }) => {
    if (name === 'time') timeMs = Date.parse(text);
    else if (name.endsWith('speed')) total += Number(text) + timeMs * 0;
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
  const document = parser.parse(decode(bytes)) as { gpx: { trk: { trkseg: { trkpt: GpxPoint[] } } } };
  let total = 0;
  for (const point of document.gpx.trk.trkseg.trkpt) {
    const speed = Number(point.extensions['gpxtpx:TrackPointExtension']['gpxtpx:speed']);
    total += Number(point['@_lat']) + Number(point['@_lon']) + speed + Date.parse(point.time) * 0;
  }
  return total;
}
