import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { UnreadableLapFileError, type LapFile } from '../lap-file.ts';
import { BINARY_WRITERS } from '#engine/testing/binary-writers.ts';
import { simulateDrive } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { DEVICE_WRITERS } from '../testing/write-devices.ts';
import { writeGenericCsv } from '../simulation/write-generic-csv.ts';
import { writeGpx } from '../simulation/write-gpx.ts';
import { LOGGER_WRITERS, writeAim, writeAlfano } from '../testing/write-loggers.ts';
import { writeRaceChronoV3 } from '../simulation/write-racechrono.ts';
import { writeTrackAddict } from '../testing/write-trackaddict.ts';
import { writeVbo } from '../testing/write-vbo.ts';
import { XML_WRITERS } from '../testing/write-xml.ts';
import { readLapFile } from './recognise.ts';

const whole = simulateDrive(KART_TRACK, { seed: 11, laps: 2, receiver: { rateHz: 2, timeStampStepMs: 1 } });
const drive = { ...whole, fixes: whole.fixes.slice(0, 60) };

const FILES = [
  writeRaceChronoV3(drive, { sensorRateHz: 5 }),
  writeTrackAddict(drive),
  writeGenericCsv(drive),
  writeGenericCsv(drive, { separator: ';', clock: 'time-of-day' }),
  writeGpx(drive),
  writeGpx(drive, { version: '1.0', segmentPerLap: true }),
  writeVbo(drive, { track: KART_TRACK }),
  writeVbo(drive, { writer: 'racebox', track: KART_TRACK }),
  ...Object.values(LOGGER_WRITERS).map((write) => write(drive)),
  ...Object.values({ ...DEVICE_WRITERS, ...XML_WRITERS }).map((write) => write(drive)),
  writeAim(drive, ';'),
  writeAlfano(drive, ','),
].map((text) => new TextEncoder().encode(text));
const BINARY_FILES = Object.values(BINARY_WRITERS).map((write) => write(drive));

const anyFile = fc.constantFrom(...FILES, ...BINARY_FILES);

/** Reads a file that may be broken in any way: a lap file without a single doubtful number, or the one error. */
function readAnything(bytes: Uint8Array): LapFile | undefined {
  let file: LapFile;
  try {
    file = readLapFile(bytes, inflateLapFile);
  } catch (error) {
    if (!(error instanceof UnreadableLapFileError)) throw error;
    expect(error.message).toMatch(/^This .*\.$/s);
    return undefined;
  }
  const { length, timesMs, lats, lons, speedsMetersPerSecond } = file.fixes;
  expect(length).toBeGreaterThan(0);
  expect([timesMs, lats, lons, speedsMetersPerSecond].map((column) => column.length)).toEqual([
    length,
    length,
    length,
    length,
  ]);
  expect(timesMs.every(Number.isFinite)).toBe(true);
  expect(lats.every((lat) => Math.abs(lat) <= 90)).toBe(true);
  expect(lons.every((lon) => Math.abs(lon) <= 180)).toBe(true);
  expect(
    speedsMetersPerSecond.every((speed) => Number.isNaN(speed) || (speed >= 0 && speed < Infinity)),
  ).toBe(true);
  expect(file.partStarts[0]).toBe(0);
  expect(
    file.partStarts.every(
      (start, index, all) => index === 0 || (start > (all[index - 1] ?? 0) && start < length),
    ),
  ).toBe(true);
  expect(file.loggerLaps.every((lap) => lap.lapTimeMs > 0 && Number.isFinite(lap.lapTimeMs))).toBe(true);
  return file;
}

test('files cut off anywhere are read as far as they go, or refused', () => {
  fc.assert(
    fc.property(anyFile, fc.double({ min: 0, max: 1, noNaN: true }), (bytes, share) => {
      readAnything(bytes.subarray(0, Math.floor(share * bytes.length)));
    }),
    { numRuns: 900 },
  );
});

test('files with any bytes changed are read or refused', () => {
  const changes = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(anyFile, changes, (bytes, changed) => {
      const copy = bytes.slice();
      for (const [share, byte] of changed) copy[Math.floor(share * (copy.length - 1))] = byte;
      readAnything(copy);
    }),
    { numRuns: 900 },
  );
});

test('files with pieces repeated, left out or put elsewhere are read or refused', () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(anyFile, place, place, place, (bytes, a, b, c) => {
      const [from = 0, to = 0, target = 0] = [a, b, c].map((share) => Math.floor(share * bytes.length));
      const piece = bytes.subarray(Math.min(from, to), Math.max(from, to));
      const copy = Uint8Array.from([...bytes.subarray(0, target), ...piece, ...bytes.subarray(target)]);
      readAnything(copy);
      readAnything(
        Uint8Array.from([...bytes.subarray(0, Math.min(from, to)), ...bytes.subarray(Math.max(from, to))]),
      );
    }),
    { numRuns: 300 },
  );
});

test('files with two columns exchanged are read or refused', () => {
  fc.assert(
    fc.property(anyFile, fc.nat(14), fc.nat(14), (bytes, a, b) => {
      const lines = new TextDecoder()
        .decode(bytes)
        .split('\n')
        .map((line) => {
          const separator = line.includes(';') ? ';' : ',';
          const cells = line.split(separator);
          [cells[a], cells[b]] = [cells[b] ?? '', cells[a] ?? ''];
          return cells.join(separator);
        });
      readAnything(new TextEncoder().encode(lines.join('\n')));
    }),
    { numRuns: 400 },
  );
});

test('every row of a table is a fix or counted, whatever is in it', () => {
  for (const bytes of FILES) {
    const text = new TextDecoder().decode(bytes);
    const rows = text.trimEnd().split('\n');
    if (/^\s*<|^\$|\[data\]/m.test(text)) continue;
    const width = (rows.at(-2) ?? '').split(/[;,]/).length;
    const separator = rows.at(-2)?.includes(';') ? ';' : ',';
    const strange = Array.from({ length: width }, () => 'strange').join(separator);
    const before = rowCountOf(readLapFile(bytes));
    const broken = [...rows, strange, rows.at(-2) ?? '', strange, ''].join('\n');
    expect(rowCountOf(readLapFile(new TextEncoder().encode(broken))), rows[0]).toBe(before + 3);
  }
});

function rowCountOf({ fixes, dropped }: LapFile): number {
  return Object.values(dropped).reduce((sum, count) => sum + count, fixes.length);
}

test('any bytes at all are refused, or read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => void readAnything(bytes)),
    { numRuns: 300 },
  );
});

test('any text in the cells of a known header is read or refused', () => {
  const cell = fc.oneof(
    fc.constantFrom(
      'NaN',
      'Infinity',
      '-Infinity',
      '1e999',
      '',
      '"',
      '""',
      ' ',
      '0',
      '-0',
      '1e308',
      '#',
      '\0',
      '-',
      '14/08/2016 16:57:02',
      'Fri Jun 24 20:03:47 GMT+02:00 2022',
      '28.5N',
      '2026-06-21T20:43:33Z',
    ),
    fc.double().map(String),
    fc.string({ maxLength: 20 }),
  );
  const header = fc.constantFrom(
    'time,latitude,longitude,speed,lap',
    '# RaceRender Data\nTime,Latitude,Longitude,Speed,GPS_Update',
    'This file is created using RaceChrono v10\nCreated,13/07/2026,16:58\nTimestamp (s),Latitude (deg),Longitude (deg),Lap #,Trap name',
    'This file is created using RaceChrono Pro\nFormat,3\ntimestamp,latitude,longitude,elapsed_time,lap_number\n\n',
    'Format,AiM CSV File\nBeacon Markers,1,2,3\nTime,GPS Latitude,GPS Longitude,GPS Speed',
    'Format,MoTeC CSV File\nLog Date,1/2/2026\nTime,GPS Latitude,GPS Longitude,Ground Speed',
    'Absolute Time,Lat.,Lon.,Lap,Time Lap,Speed GPS,UTC time : 144141.00',
    'Timestamp (ms),GPS Latitude,GPS Longitude,Date,Hour (h),Minute (min),Second (s)',
    'GPS_TIME (ms),LAT (deg),LONG (deg),SPEED (m/s),MATH_LAP_NUMBER,MATH_SECTOR_NUMBER',
    'RunTime,Latitude,Longitude,Lap,LapTime,Speed',
    'GPS Time, Device Time, Longitude, Latitude,GPS Speed (Meters/second)',
    'gnss_posTime,gnss_lat,gnss_lon,gnss_gVel',
    'INDEX,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,SPEED',
    'INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,SPEED',
    'Date,Time,Position,Speed',
    '[header]\n[column names]\nsats time lat long velocity\n[data]',
    'LAPINDEX,DATE,TIME,TIME_LAP,LATITUDE,LONGITUDE,SPEED_KPH',
    'Format,RaceBox CSV\nDate UTC,2026-08-10T17:16:45Z\nTime,Latitude,Longitude,KPH,Lap',
    'timestamp,sats,hdop,lat,lng,speed_mph',
    '"Interval"|"ms"|1,"Utc"|"ms"|1,"Latitude"|"Deg"|10,"Longitude"|"Deg"|10,"LapCount"|""|1,"LapTime"|"Min"|1',
    '#"Time"|"Time"|10,"Latitude"|"Deg"|10,"Longitude"|"Deg"|10,"LapCount"|""|10,"LapTime"|"seconds"|10',
  );
  fc.assert(
    fc.property(header, fc.array(fc.array(cell, { maxLength: 7 }), { maxLength: 30 }), (first, rows) => {
      readAnything(new TextEncoder().encode([first, ...rows.map((row) => row.join(','))].join('\n')));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['fifteen thousand columns', `${'x,'.repeat(15_000)}time,lat,lon\n${'1,'.repeat(15_000)}2,48.1,11.5\n`, 1],
  [
    'a hundred thousand columns, more than any logger has,',
    `${'x,'.repeat(100_000)}time,lat,lon\n${'1,'.repeat(100_000)}2,48.1,11.5\n`,
    0,
  ],
  [
    'a hundred lines of names that are none',
    `${'lat '.repeat(20_000)}\n${'x,'.repeat(20_000)}\n`.repeat(50),
    0,
  ],
  ['a line of ten megabytes before the header', `${'x'.repeat(10_000_000)}\ntime,lat,lon\n2,48.1,11.5\n`, 1],
  [
    'a cell of ten megabytes',
    `time,lat,lon\n2,48.1,11.5,${'9'.repeat(10_000_000)}\n${'9'.repeat(10_000_000)},48.1,11.5\n`,
    1,
  ],
  ['ten megabytes of dollars', `$GPRMC,1\n${'$'.repeat(10_000_000)}`, 0],
  ['a million beginnings of sentences', '$GPRMC,'.repeat(1_000_000), 0],
  ['ten megabytes of blanks in a row of VBO', `[data]\n${' '.repeat(10_000_000)}`, 0],
  ['a million headers of RaceCapture', '"Latitude"|"Deg"|1,"Longitude"|"Deg"|1\n'.repeat(300_000), 0],
  ['ten megabytes of commas', ','.repeat(10_000_000), 0],
  ['ten megabytes of quotes', `time,lat,lon\n${'"'.repeat(10_000_000)}`, 0],
  ['ten megabytes of opening brackets', '<'.repeat(10_000_000), 0],
  ['a comment that never ends', `<gpx>${'<!--'.repeat(1_000_000)}`, 0],
  ['CDATA that never ends', `<gpx>${'<![CDATA['.repeat(1_000_000)}`, 0],
  ['a document type that never ends', `<!DOCTYPE gpx [${'<!ENTITY a "'.repeat(500_000)}`, 0],
  ['a million empty segments', `<gpx>${'<trkseg></trkseg>'.repeat(1_000_000)}`, 0],
  [
    'a time in a million pieces',
    `<gpx><trkpt lat="1" lon="2"><time>${'1<!---->'.repeat(500_000)}</time></trkpt>`,
    0,
  ],
  [
    'a tag with a million attributes',
    `<gpx><trkpt ${'a="1" '.repeat(500_000)} lat="48.1" lon="11.5"><time>2026-06-21T20:43:33Z</time></trkpt>`,
    1,
  ],
  [
    'a million times of a track without positions',
    `<kml><gx:Track>${'<when>2026</when>'.repeat(500_000)}`,
    0,
  ],
  ['a million empty positions', `<kml><gx:Track><when>2026</when>${'<gx:coord/>'.repeat(500_000)}`, 0],
  ['a million points within each other', `<TrainingCenterDatabase>${'<Trackpoint>'.repeat(500_000)}`, 0],
  ['a million fixes within each other', `<LapTimerDB><lap index="1">${'<fix>'.repeat(500_000)}`, 0],
  ['a million tags inside of each other', `<gpx><trkpt lat="48.1" lon="11.5">${'<a>'.repeat(1_000_000)}`, 0],
])('%s is no reason to fail', (_, text, fixCount) => {
  expect(readAnything(new TextEncoder().encode(text))?.fixes.length ?? 0).toBe(fixCount);
});
