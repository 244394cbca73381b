import { expect, test } from 'vitest';
import { timeLabel } from '../../simulation/drive-samples.ts';
import { simulateDrive, type DrivenFix } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { openLapFile, timeLaps } from '../../time-lap-file.ts';
import { readLapFile } from '../recognise.ts';

/** Tries other usual heads, and other usual ways to write a date and time. */
const { fixes, trueLaps } = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 1,
  startTimeMs: Date.UTC(2026, 4, 13, 13, 30, 12, 340),
  receiver: { rateHz: 10, timeStampStepMs: 10, coordinateDecimals: 8 },
});
const zeroMs = fixes[0]?.timeMs ?? 0;

type Cells = (fix: DrivenFix) => readonly (string | number)[];

function write(header: string, cellsOf: Cells): Uint8Array {
  return new TextEncoder().encode([header, ...fixes.map((fix) => cellsOf(fix).join(','))].join('\n'));
}

const withTime =
  (time: (fix: DrivenFix) => string | number): Cells =>
  (fix) => [time(fix), fix.lat.toFixed(8), fix.lon.toFixed(8)];
const isoTime = ({ timeMs }: DrivenFix): string => `${timeLabel(timeMs)}Z`;
const clockOf = ({ timeMs }: DrivenFix): string => timeLabel(timeMs).slice(11);

function expectTrueLap(bytes: Uint8Array): void {
  const { laps } = timeLaps(openLapFile(bytes), KART_TRACK);
  expect(laps.map(({ status }) => status)).toEqual(['valid']);
  expect(Math.abs((laps[0]?.lapTimeMs ?? 0) - (trueLaps[0]?.lapTimeMs ?? 0))).toBeLessThan(10);
}

test.each([
  'Vehicle Latitude,Vehicle Longitude',
  'geo_lat,geo_lon',
  'Lat_WGS84,Lon_WGS84',
  'decimalLatitude,decimalLongitude',
  'latitude_decimal,longitude_decimal',
  'GPS1_Latitude,GPS1_Longitude',
  'Garmin GPS Latitude,Garmin GPS Longitude',
  'lat_dd,lng_dd',
  'Latitude [deg],Longitude [deg]',
])('positions in %s are found', (heads) => {
  expectTrueLap(write(`time,${heads}`, withTime(isoTime)));
});

test.each([
  ['accelerations', 'Lat G,Lon G'],
  ['accelerations behind their unit', 'g_lat,g_lon'],
  ['accelerations of sensors', 'lat_acc,lon_acc'],
  ['single places', 'Start Lat,Start Lon'],
  ['extremes', 'min_lat,min_lon'],
])('%s are no positions', (_, heads) => {
  expect(() => readLapFile(write(`time,${heads}`, withTime(isoTime)))).toThrow(
    /no columns with latitudes and longitudes/,
  );
});

const since =
  (unitMs: number) =>
  ({ timeMs }: DrivenFix) =>
    Math.round((timeMs - zeroMs) / unitMs);

test.each<[string, (fix: DrivenFix) => string | number]>([
  ['Date/Time', isoTime],
  ['recorded_at', isoTime],
  ['loggingTime(txt)', (fix) => isoTime(fix).replace('T', ' ').replace('Z', ' +0000')],
  ['unix_ms', ({ timeMs }) => timeMs],
  ['time_ns', ({ timeMs }) => `${timeMs}000000`],
  ['secs', ({ timeMs }) => (timeMs - zeroMs) / 1000],
  ['Elapsed Seconds', ({ timeMs }) => (timeMs - zeroMs) / 1000],
  ['relative_time', ({ timeMs }) => (timeMs - zeroMs) / 1000],
  ['elapsedMs', since(1)],
  ['uptime_ms', since(1)],
  ['ms', since(1)],
  ['micros', since(0.001)],
])('times in %s are found', (head, time) => {
  expectTrueLap(write(`${head},lat,lon`, withTime(time)));
});

test.each<[string, (fix: DrivenFix) => string]>([
  ['the month as a word', (fix) => `13 May 2026 ${clockOf(fix)}`],
  ['the month in front', (fix) => `"May 13, 2026 ${clockOf(fix)}"`],
  ['the day of the week', (fix) => `"Wednesday, May 13, 2026 ${clockOf(fix)}"`],
  ['single digits behind the year', (fix) => `2026-5-13 ${clockOf(fix)}`],
  ['a line between date and time', (fix) => `2026-05-13_${clockOf(fix)}`],
  ['a dash between date and time', (fix) => `2026-05-13-${clockOf(fix)}`],
])('dates with %s are read', (_, time) => {
  const bytes = write('time,lat,lon', withTime(time));
  expectTrueLap(bytes);
  const file = readLapFile(bytes);
  expect(file.clock).toBe('local');
  expect(file.fixes.timesMs[0]).toBe(zeroMs);
});

test.each(['SOG', 'Speed over ground (m/s)', 'speed_2d', '2D speed', 'spd', 'km/h'])(
  'speeds in %s are found',
  (head) => {
    const factor = head === 'km/h' ? 3.6 : 1;
    const file = readLapFile(
      write(`time,lat,lon,${head}`, (fix) => [
        ...withTime(isoTime)(fix),
        (factor * fix.speedMetersPerSecond).toFixed(4),
      ]),
    );
    expect(file.fixes.speedsMetersPerSecond[100]).toBeCloseTo(fixes[100]?.speedMetersPerSecond ?? 0, 2);
  },
);

/** Formats `48° 5' 57.41116"` as a cell in quotes. */
function sexagesimal(degrees: number): string {
  const minutes = (degrees - Math.floor(degrees)) * 60;
  const seconds = ((minutes - Math.floor(minutes)) * 60).toFixed(5);
  return `"${Math.floor(degrees)}° ${Math.floor(minutes)}' ${seconds}"""`;
}

test('seconds of arc keep their sign in quotes', () => {
  expectTrueLap(write('time,lat,lon', (fix) => [isoTime(fix), sexagesimal(fix.lat), sexagesimal(fix.lon)]));
});

test('a table is never said to lack the columns that it names', () => {
  expect(() => readLapFile(write('Frame,Vehicle Latitude,Vehicle Longitude', withTime(isoTime)))).toThrow(
    /positions but no column with times/,
  );
  expect(() => readLapFile(write('time,Start Lat,Start Lon', withTime(isoTime)))).toThrow(
    /no columns with latitudes and longitudes/,
  );
});

test('a latitude or longitude of zero stands for an empty cell where the car is elsewhere', () => {
  let row = 0;
  const file = readLapFile(
    write('time,lat,lon', (fix) => {
      row += 1;
      const [lat, lon] = [fix.lat.toFixed(8), fix.lon.toFixed(8)];
      return [isoTime(fix), row % 10 === 3 ? '0' : lat, row % 10 === 5 ? '0.000000' : lon];
    }),
  );
  expect(file.dropped).toEqual({ no_position: fixes.length - file.fixes.length });
  expect(file.fixes.length / fixes.length).toBeCloseTo(0.8, 1);
  expect(file.fixes.lats.every((lat) => lat > 1) && file.fixes.lons.every((lon) => lon > 1)).toBe(true);
});

test.each([
  [
    'commas both between its columns and in its numbers',
    (text: string) => text.replace('.', ','),
    /whole degrees/,
  ],
  ['other things around its numbers', (text: string) => `='${text}'`, /no numbers in them that can be read/],
])('a table with %s is refused for that', (_, change, sentence) => {
  const bytes = write('time,lat,lon', (fix) => [
    clockOf(fix),
    change(fix.lat.toFixed(8)),
    change(fix.lon.toFixed(8)),
  ]);
  expect(() => readLapFile(bytes)).toThrow(sentence);
});

test('date and time of day in columns of their own, as GPSBabel writes them, are UTC', () => {
  const bytes = write('utc_d,utc_t,Latitude,Longitude', (fix) => [
    timeLabel(fix.timeMs).slice(0, 10).replaceAll('-', '/'),
    ...withTime(clockOf)(fix),
  ]);
  expectTrueLap(bytes);
  expect(readLapFile(bytes)).toMatchObject({ clock: 'utc', fixes: { timesMs: { 0: zeroMs } } });
});
