import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { listTriedSamples, type LapSample } from '../../tests/lap-samples.ts';
import { CHANNEL_NAMES, type ChannelName } from '../channels.ts';
import { readLapFile } from '../formats/recognise.ts';
import { UnreadableLapFileError, type Clock, type LapFile } from '../lap-file.ts';
import { proposeTracks } from '../proposal/propose-tracks.ts';
import { simulateDrive, toLapFile } from '../simulation/drive.ts';
import { KART_TRACK, kartTrackAt } from '../testing/kart-track.ts';
import { openFixes, openLapFile, timeLaps, timeOnOwnLine } from '../time-lap-file.ts';
import type { Lap } from '../timing/laps.ts';
import { undirectedLine } from '../timing-line.ts';
import { trackFromLine, type Track } from '../track.ts';
import { toExportedDrive, type ExportedDrive } from './exported-drive.ts';
import { EXPORT_FORMATS, type ExportFormat } from './formats.ts';
import { DAY_MS } from '../durations.ts';

/** LAP_SAMPLES names the folder of real recordings, which are not part of Pitboard. */
const folder = process.env['LAP_SAMPLES'];

const FORMATS = ['vbo', 'gpx', 'racechrono', 'geojson'] as const satisfies readonly ExportFormat[];

const geoJsonSchema = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      properties: z.object({
        name: z.string(),
        laps: z.array(z.object({ number: z.int(), time: z.string(), lapTimeMs: z.int() })).optional(),
        coordinateProperties: z.object({
          times: z.array(z.string()),
          speeds: z.array(z.number().nullable()).optional(),
        }),
      }),
      geometry: z.union([
        z.object({
          type: z.literal('LineString'),
          coordinates: z.array(z.tuple([z.number(), z.number()])).min(2),
        }),
        z
          .object({ type: z.literal('Point'), coordinates: z.tuple([z.number(), z.number()]) })
          .transform(({ coordinates }) => ({ type: 'LineString' as const, coordinates: [coordinates] })),
      ]),
    }),
  ),
});

/** Reads GeoJSON as a program that knows its times would. */
function readGeoJson(text: string, original: LapFile): LapFile {
  const { features } = geoJsonSchema.parse(JSON.parse(text));
  const rows = features.flatMap(({ geometry, properties: { coordinateProperties } }) => {
    const { times, speeds } = coordinateProperties;
    expect(times).toHaveLength(geometry.coordinates.length);
    return geometry.coordinates.map(([lon, lat], row) => {
      const [, seconds = '', micro = '0'] = /^(.*\.\d{3})(\d{3})?Z?$/.exec(times[row] ?? '') ?? [];
      const timeMs = Date.parse(`${seconds}Z`) + Number(micro) / 1000;
      return { timeMs, lat, lon, speed: speeds?.[row] ?? Number.NaN };
    });
  });
  let start = 0;
  const partStarts = features.map(({ geometry }) => {
    start += geometry.coordinates.length;
    return start - geometry.coordinates.length;
  });
  return {
    ...original,
    partStarts,
    clock: original.clock === 'local' ? 'local' : 'utc',
    fixes: {
      length: rows.length,
      timesMs: Float64Array.from(rows, ({ timeMs }) => timeMs),
      lats: Float64Array.from(rows, ({ lat }) => lat),
      lons: Float64Array.from(rows, ({ lon }) => lon),
      speedsMetersPerSecond: Float64Array.from(rows, ({ speed }) => speed),
    },
  };
}

function write(drive: ExportedDrive, format: ExportFormat): string {
  return [...EXPORT_FORMATS[format].write(drive)].join('');
}

function readAgain(drive: ExportedDrive, format: ExportFormat, original: LapFile) {
  const text = write(drive, format);
  return format === 'geojson'
    ? openFixes(readGeoJson(text, original))
    : openLapFile(new TextEncoder().encode(text));
}

/** Expects the laps that the file itself gives from each of its exports, to the millisecond, with the same verdicts. */
function expectSameLaps(lapFile: LapFile, track: Track): Lap[] {
  const { laps } = timeLaps(openFixes(lapFile), track);
  const drive = toExportedDrive(lapFile, { title: 'A drive', laps, startFinishLine: track.startFinishLine });
  for (const format of FORMATS) {
    const again = timeLaps(readAgain(drive, format, lapFile), track).laps;
    expect(again.map(summarize), format).toEqual(laps.map(summarize));
    for (const [index, { lapTimeMs }] of again.entries())
      expect(Math.abs(lapTimeMs - (laps[index]?.lapTimeMs ?? Number.NaN)), format).toBeLessThan(1);
  }
  return laps;
}

const summarize = ({ number, status, reasons }: Lap) => ({ number, status, reasons });

const START_MS = Date.UTC(2026, 4, 16, 23, 58, 30);

const CLOCKS: [Clock, (timeMs: number) => number][] = [
  ['utc', (timeMs) => timeMs],
  ['local', (timeMs) => timeMs],
  ['time_of_day', (timeMs) => timeMs % DAY_MS],
  ['elapsed', (timeMs) => timeMs - START_MS],
];

describe('simulated drives, exported and read again', () => {
  test.each([
    { rateHz: 1, timeStampStepMs: 1000 },
    { rateHz: 5, timeStampStepMs: 100 },
    { rateHz: 10, timeStampStepMs: 1 },
    { rateHz: 25, timeStampStepMs: 1 },
    // The times of some binary formats have parts of a millisecond.
    { rateHz: 18.2, timeStampStepMs: 0 },
  ])(
    '$rateHz positions a second in steps of $timeStampStepMs ms, over midnight, on every clock',
    (receiver) => {
      const drive = simulateDrive(KART_TRACK, { seed: 4, laps: 2, startTimeMs: START_MS, receiver });
      const lapFile = toLapFile(drive.fixes);
      for (const [clock, toClock] of CLOCKS) {
        const fixes = { ...lapFile.fixes, timesMs: lapFile.fixes.timesMs.map(toClock) };
        expect(expectSameLaps({ ...lapFile, clock, fixes }, KART_TRACK).length).toBeGreaterThanOrEqual(2);
      }
    },
  );

  test.each([
    { lat: -37.8, lon: 144.9 },
    { lat: 51.4, lon: -0.01 },
    { lat: -0.0005, lon: -179.9 },
  ])('at $lat, $lon', (center) => {
    const track = kartTrackAt(center);
    const { fixes } = simulateDrive(track, { seed: 5, laps: 2, startTimeMs: START_MS });
    expect(expectSameLaps(toLapFile(fixes), track).length).toBeGreaterThanOrEqual(2);
  });

  test('a drive without speeds, and one in two parts', () => {
    const { fixes } = simulateDrive(KART_TRACK, { seed: 6, laps: 4, startTimeMs: START_MS });
    const mute = fixes.map((fix) => ({ ...fix, speedMetersPerSecond: Number.NaN }));
    expectSameLaps(toLapFile(mute), KART_TRACK);
    const pause = fixes.map((fix, index) =>
      index < fixes.length / 2 ? fix : { ...fix, timeMs: fix.timeMs + 60_000 },
    );
    const partStarts = [0, Math.ceil(fixes.length / 2)];
    expectSameLaps({ ...toLapFile(pause), partStarts }, KART_TRACK);
  });

  test('the laps in a RaceChrono file and the line in a VBO file are read as they were driven', () => {
    const { fixes } = simulateDrive(KART_TRACK, {
      seed: 7,
      laps: 3,
      startTimeMs: START_MS,
      receiver: { rateHz: 25 },
    });
    const lapFile = toLapFile(fixes);
    const { laps } = timeLaps(openFixes(lapFile), KART_TRACK);
    const drive = toExportedDrive(lapFile, { title: 'x', laps, startFinishLine: KART_TRACK.startFinishLine });
    const { loggerLaps } = readAgain(drive, 'racechrono', lapFile);
    const ranking = laps.filter(({ status }) => status === 'valid');
    expect(loggerLaps.map(({ number }) => number)).toEqual(
      expect.arrayContaining(ranking.map(({ number }) => number)),
    );
    for (const { number, lapTimeMs } of ranking) {
      const logged = loggerLaps.find((lap) => lap.number === number);
      expect(Math.abs((logged?.lapTimeMs ?? 0) - lapTimeMs)).toBeLessThanOrEqual(40);
    }
    const onOwnLine = timeOnOwnLine(readAgain(drive, 'vbo', lapFile)).laps;
    for (const { lapTimeMs } of ranking)
      expect(Math.min(...onOwnLine.map((lap) => Math.abs(lap.lapTimeMs - lapTimeMs)))).toBeLessThan(5);
  });

  test('VBO and RaceChrono keep every channel; the reader fills in what is unknown for a moment', () => {
    const lapFile = toLapFile(simulateDrive(KART_TRACK, { seed: 8, laps: 2, startTimeMs: START_MS }).fixes);
    const { length } = lapFile.fixes;
    const values: Record<ChannelName, (index: number) => number> = {
      throttle: (index) => index % 101,
      brake: (index) => (index * 3) % 101,
      brakePressure: (index) => index % 90,
      rpm: (index) => 3000 + (index % 4000),
      gear: (index) => 1 + (index % 5),
      steering: (index) => (index % 200) - 100,
      longitudinalAcceleration: (index) => (index % 20) - 10,
      lateralAcceleration: (index) => (index % 24) - 12,
    };
    const channels = Object.fromEntries(
      CHANNEL_NAMES.map((name) => [
        name,
        Float64Array.from({ length }, (_, index) => (index % 50 === 49 ? Number.NaN : values[name](index))),
      ]),
    );
    const driven = { ...lapFile, fixes: { ...lapFile.fixes, channels } };
    const { laps } = timeLaps(openFixes(driven), KART_TRACK);
    const drive = toExportedDrive(driven, { title: 'x', laps, startFinishLine: null });
    for (const format of ['vbo', 'racechrono'] as const) {
      const again = readLapFile(new TextEncoder().encode(write(drive, format))).fixes.channels ?? {};
      for (const name of CHANNEL_NAMES)
        for (const [index, value] of (channels[name] ?? []).entries())
          if (!Number.isNaN(value))
            expect(again[name]?.[index], `${format} ${name} ${index}`).toBeCloseTo(value, 2);
    }
  });
});

test('a VBO file has the direction of travel, which a standing car keeps and a break of the recording does not bend', () => {
  const east = [0, 0, 0.0001, 0.0002, 0.0002, 0.0002];
  const fixes = [
    ...east.map((lon) => ({ lat: -33, lon })),
    { lat: -34, lon: 151 },
    { lat: -34.0001, lon: 151 },
  ];
  const lapFile = toLapFile(
    fixes.map((position, index) => ({ ...position, timeMs: 1000 * index, speedMetersPerSecond: 10 })),
  );
  const drive = toExportedDrive(
    { ...lapFile, partStarts: [0, 6] },
    { title: '', laps: [], startFinishLine: null },
  );
  const [names, , ...rows] = write(drive, 'vbo').split('[column names]\r\n')[1]?.trim().split('\r\n') ?? [];
  const column = names?.split(' ').indexOf('heading') ?? -1;
  expect(rows.slice(1).map((row) => row.split(' ')[column])).toEqual([
    ...Array.from({ length: 6 }, () => '090.00'),
    '180.00',
    '180.00',
  ]);
});

test('a title breaks out of no format, and no spreadsheet takes it for a formula', () => {
  const lapFile = toLapFile(simulateDrive(KART_TRACK, { seed: 9, laps: 1, startTimeMs: START_MS }).fixes);
  const title = '=HYPERLINK("x")</name><trkpt lat="1" lon="2"/>\r\n[data]\n"1,2\u0000\u2028';
  const drive = toExportedDrive(lapFile, { title, laps: [], startFinishLine: null });
  expect(readLapFile(new TextEncoder().encode(write(drive, 'gpx'))).fixes.length).toBe(lapFile.fixes.length);
  expect(write(drive, 'gpx')).toContain('&lt;/name&gt;&lt;trkpt lat=&quot;1&quot;');
  expect(write(drive, 'vbo').match(/^\[data\]/gm)).toHaveLength(1);
  expect(write(drive, 'racechrono')).toContain('\r\nSession title,"\'=HYPERLINK(""x"")');
  expect(readLapFile(new TextEncoder().encode(write(drive, 'racechrono'))).format).toBe('racechrono-csv-v3');
  const { features } = geoJsonSchema.parse(JSON.parse(write(drive, 'geojson')));
  expect(features[0]?.properties.name).toBe('=HYPERLINK("x")</name><trkpt lat="1" lon="2"/> [data] "1,2');
});

test('a drive without fixes is a file without rows', () => {
  const drive = toExportedDrive(toLapFile([]), { title: '', laps: [], startFinishLine: null });
  expect(geoJsonSchema.parse(JSON.parse(write(drive, 'geojson'))).features).toEqual([]);
  for (const format of ['vbo', 'gpx', 'racechrono'] as const)
    expect(() => readLapFile(new TextEncoder().encode(write(drive, format)))).toThrow(UnreadableLapFileError);
});

describe.skipIf(folder === undefined)('real recordings (LAP_SAMPLES), exported and read again', () => {
  const samples = folder === undefined ? [] : listTriedSamples(folder);

  test.each(samples)('$name', ({ path, truth }) => {
    const lapFile = readOrNull(path);
    if (lapFile === null) return;
    expectSameLaps(lapFile, trackOf(lapFile, truth));
  });
});

function readOrNull(path: string): LapFile | null {
  try {
    return readLapFile(readFileSync(path), inflateLapFile);
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return null;
    throw error;
  }
}

/** Returns a track with the known line of a recording, or one that its drive proposes, or a line that it never passes. */
function trackOf(lapFile: LapFile, truth: LapSample['truth']): Track {
  const line =
    (truth?.startFinish ? undirectedLine(...truth.startFinish) : null) ??
    lapFile.startFinishLine ??
    proposeTracks(openFixes(lapFile))[0]?.track.startFinishLine ??
    undirectedLine({ lat: 0, lon: 0 }, { lat: 0, lon: 0.001 });
  return { ...trackFromLine(line), id: 'sample', radiusMeters: 5000 };
}

if (folder === undefined) test.skip('real recordings are left out: LAP_SAMPLES names no folder');
