import { expect, test } from 'vitest';
import { timeLabel } from '../../simulation/drive-samples.ts';
import { simulateDrive, type DrivenFix } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { openLapFile, timeLaps } from '../../time-lap-file.ts';
import { readLapFile } from '../recognise.ts';

const startTimeMs = Date.UTC(2026, 4, 16, 9, 30, 12, 340);
const { fixes, trueLaps } = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 2,
  startTimeMs,
  receiver: { rateHz: 10, timeStampStepMs: 10, coordinateDecimals: 8 },
});

type Row = DrivenFix & { time: string; lat8: string; lon8: string };

const ROWS: readonly Row[] = fixes.map((fix) => ({
  ...fix,
  time: `${timeLabel(fix.timeMs)}Z`,
  lat8: fix.lat.toFixed(8),
  lon8: fix.lon.toFixed(8),
}));
const zeroMs = fixes[0]?.timeMs ?? 0;

/** Writes a header and a row for every fix. */
function write(
  header: string,
  cellsOf: (row: Row) => readonly (string | number)[],
  separator = ',',
): Uint8Array {
  const rows = ROWS.map((row) => cellsOf(row).join(separator));
  return new TextEncoder().encode([header, ...rows, ''].join('\n'));
}

function clockOf({ time }: Row): string {
  return time.slice(11, 23);
}

/** Formats `4805.956860`, with so many digits of degrees. */
function degreesAndMinutes(degrees: number, digits: number): string {
  const whole = Math.floor(degrees);
  return `${String(whole).padStart(digits, '0')}${((degrees - whole) * 60).toFixed(7).padStart(10, '0')}`;
}

function split(degrees: number, decimals = 7): [whole: number, minutes: string] {
  return [Math.floor(degrees), ((degrees - Math.floor(degrees)) * 60).toFixed(decimals)];
}

/** Splits degrees into whole degrees, whole minutes, and seconds. */
function splitSeconds(degrees: number): [whole: number, minutes: number, seconds: string] {
  const [whole, minutes] = split(degrees, 9);
  return [whole, Math.floor(Number(minutes)), ((Number(minutes) % 1) * 60).toFixed(5)];
}

function inRadians({ time, lat, lon }: Row): string[] {
  return [time, ...[lat, lon].map((degrees) => ((degrees * Math.PI) / 180).toFixed(10))];
}

/** Formats `9:5:2.340` for `09:05:02.340`. */
function withoutZeros(clock: string): string {
  return clock.replaceAll(/(?<=^|:)0+(?=\d)/g, '');
}

/** Formats `48°05'57.4116"`. */
function sexagesimal(degrees: number): string {
  const [whole, minutes] = [Math.floor(degrees), (degrees - Math.floor(degrees)) * 60];
  return `${whole}°${Math.floor(minutes)}'${((minutes - Math.floor(minutes)) * 60).toFixed(5)}"`;
}

/** Formats `-00:40.00` before a moment and `00:40.00` behind it. */
function countdown(timeMs: number, hours = ''): string {
  const time = hours + timeLabel(Math.abs(timeMs)).slice(14, 23);
  return timeMs < 0 ? `-${time}` : time;
}

function comma(text: string): string {
  return text.replace('.', ',');
}

const WRITINGS: Record<string, Uint8Array> = {
  'an offset to UTC': write('time,lat,lon', ({ time, lat8, lon8 }) => [
    `${timeLabel(Date.parse(time) + 7_200_000)}+02:00`,
    lat8,
    lon8,
  ]),
  'UTC in letters': write('time,lat,lon', ({ time, lat8, lon8 }) => [
    `${time.slice(0, -1).replace('T', ' ')} UTC`,
    lat8,
    lon8,
  ]),
  'the name of a zone': write('time,lat,lon', ({ time, lat8, lon8 }) => [
    `${time.slice(0, -1).replace('T', ' ')} CEST`,
    lat8,
    lon8,
  ]),
  'an offset behind letters': write('time,lat,lon', ({ time, lat8, lon8 }) => [
    `${time.slice(0, -1)} GMT+02:00`,
    lat8,
    lon8,
  ]),
  'the short form of ISO 8601': write('time,lat,lon', ({ time, lat8, lon8 }) => [
    time.replaceAll(/[-:]/g, ''),
    lat8,
    lon8,
  ]),
  'fourteen digits': write('time,lat,lon', ({ time, lat8, lon8 }) => [
    time.replaceAll(/[-:TZ]/g, ''),
    lat8,
    lon8,
  ]),
  'colons in the date': write('time,lat,lon', ({ time, lat8, lon8 }) => [
    `${time.slice(0, 10).replaceAll('-', ':')} ${time.slice(11, -1)}`,
    lat8,
    lon8,
  ]),
  'a colon before the milliseconds': write('time,lat,lon', (row) => [
    clockOf(row).replace('.', ':'),
    row.lat8,
    row.lon8,
  ]),
  'no zeros in front of hours, minutes and seconds': write('time,lat,lon', (row) => [
    withoutZeros(clockOf(row)),
    row.lat8,
    row.lon8,
  ]),
  'no zeros in front of milliseconds behind a colon': write('time,lat,lon', (row) => [
    withoutZeros(clockOf(row).replace('.', ':')),
    row.lat8,
    row.lon8,
  ]),
  'twelve hours without zeros': write('time,lat,lon', (row) => [
    `5/16/2026 ${withoutZeros(clockOf(row))} AM`,
    row.lat8,
    row.lon8,
  ]),
  'the days of a duration': write('time,lat,lon', (row) => [`0 days ${clockOf(row)}000`, row.lat8, row.lon8]),
  'twelve hours': write('time,lat,lon', (row) => [`05/16/2026 ${clockOf(row)} AM`, row.lat8, row.lon8]),
  'German names and numbers': write(
    'Datum;Uhrzeit;Breitengrad;Längengrad;Geschwindigkeit (km/h)',
    (row) => [
      '16.05.2026',
      comma(clockOf(row)),
      comma(row.lat8),
      comma(row.lon8),
      comma(`${row.speedMetersPerSecond * 3.6}`),
    ],
    ';',
  ),
  'Spanish names': write('Hora,Latitud,Longitud', (row) => [clockOf(row), row.lat8, row.lon8]),
  'words without blanks': write('gpsTime,gpsLatitude,gpsLongitude', ({ time, lat8, lon8 }) => [
    time,
    lat8,
    lon8,
  ]),
  'a column for each part of the time': write(
    'year,month,day,hour,minute,second,lat,lon',
    ({ time, lat8, lon8 }) => [...time.slice(0, -1).split(/[-T:]/), lat8, lon8],
  ),
  'a clock that is negative before the start': write('elapsed time,lat,lon', ({ timeMs, lat8, lon8 }) => [
    countdown(timeMs - zeroMs - 40_000, '00:'),
    lat8,
    lon8,
  ]),
  'minutes that are negative before the start': write('elapsed time,lat,lon', ({ timeMs, lat8, lon8 }) => [
    countdown(timeMs - zeroMs - 40_000),
    lat8,
    lon8,
  ]),
  'days of a spreadsheet': write('time,lat,lon', ({ timeMs, lat8, lon8 }) => [
    (timeMs / 86_400_000 + 25_569).toFixed(10),
    lat8,
    lon8,
  ]),
  'minutes of the recording': write('Time (min),lat,lon', ({ timeMs, lat8, lon8 }) => [
    ((timeMs - zeroMs) / 60_000).toFixed(7),
    lat8,
    lon8,
  ]),
  'microseconds of the recording': write('time_us,lat,lon', ({ timeMs, lat8, lon8 }) => [
    Math.round((timeMs - zeroMs) * 1000),
    lat8,
    lon8,
  ]),
  'one letter for the time': write('t,lat,lon', ({ timeMs, lat8, lon8 }) => [
    (timeMs - zeroMs) / 1000,
    lat8,
    lon8,
  ]),
  'degrees and minutes in one number': write('time,lat,ns,lon,ew', ({ time, lat, lon }) => [
    time,
    degreesAndMinutes(lat, 2),
    'N',
    degreesAndMinutes(lon, 3),
    'E',
  ]),
  'degrees and minutes with a letter behind': write('time,lat,lon', ({ time, lat, lon }) => [
    time,
    `${degreesAndMinutes(lat, 2)}N`,
    `${degreesAndMinutes(lon, 3)}E`,
  ]),
  'degrees and minutes with a blank between them': write('time,lat,lon', ({ time, lat, lon }) => [
    time,
    split(lat).join(' '),
    split(lon).join(' '),
  ]),
  'degrees, minutes and seconds': write('time,lat,lon', ({ time, lat, lon }) => [
    time,
    `${sexagesimal(lat)}N`,
    `${sexagesimal(lon)}E`,
  ]),
  'minutes in columns beside the degrees': write(
    'time,lat_deg,lat_min,lon_deg,lon_min',
    ({ time, lat, lon }) => [time, ...split(lat), ...split(lon)],
  ),
  'minutes beside the degrees under the same name': write(
    'time,Latitude (deg),Latitude (min),Longitude (deg),Longitude (min)',
    ({ time, lat, lon }) => [time, ...split(lat), ...split(lon)],
  ),
  'degrees, minutes and seconds in columns of their own': write(
    'time,LatDeg,LatMin,LatSec,LonDeg,LonMin,LonSec',
    ({ time, lat, lon }) => [time, ...splitSeconds(lat), ...splitSeconds(lon)],
  ),
  'all in minutes, beside the same in degrees': write(
    'time,Latitude Minutes,Latitude,Longitude Minutes,Longitude',
    ({ time, lat, lon, lat8, lon8 }) => [time, (60 * lat).toFixed(6), lat8, (60 * lon).toFixed(6), lon8],
  ),
  'all in minutes': write('time,VBOX_Lat_Min,VBOX_Long_Minutes', ({ time, lat, lon }) => [
    time,
    (60 * lat).toFixed(6),
    (60 * lon).toFixed(6),
  ]),
  'degrees in columns named after minutes': write(
    'time,VBOX_Lat_Min,VBOX_Long_Minutes',
    ({ time, lat8, lon8 }) => [time, lat8, lon8],
  ),
  radians: write('time,lat (rad),lon (rad)', inRadians),
  'radians without a unit': write('time,lat,lon', inRadians),
  'millionths of a degree': write('time,lat_e6,lon_e6', ({ time, lat, lon }) => [
    time,
    (lat * 1e6).toFixed(1),
    (lon * 1e6).toFixed(1),
  ]),
  'Japanese names': write('時刻,緯度,経度,速度', (row) => [clockOf(row), row.lat8, row.lon8, 0]),
  'Swedish names and numbers': write(
    'Tid;Latitud;Longitud',
    (row) => [comma(clockOf(row)), comma(row.lat8), comma(row.lon8)],
    ';',
  ),
  'Czech names': write('Čas,Zeměpisná šířka,Zeměpisná délka', (row) => [clockOf(row), row.lat8, row.lon8]),
  'ten-millionths of a degree': write('time,latitudeE7,longitudeE7', ({ time, lat, lon }) => [
    time,
    Math.round(lat * 1e7),
    Math.round(lon * 1e7),
  ]),
  'both in brackets': write('time;position', ({ time, lat8, lon8 }) => [time, `[${lat8}, ${lon8}]`], ';'),
  bars: write('time|lat|lon', ({ time, lat8, lon8 }) => [time, lat8, lon8], '|'),
  'blanks for separators': write(' t   lat   lon', ({ timeMs, lat8, lon8 }) => [
    ` ${(timeMs - zeroMs) / 1000}  ${lat8}   ${lon8}`,
  ]),
  'every stamp of seven twice': write('time,lat,lon', (row) => {
    const index = ROWS.indexOf(row);
    return [(index % 7 === 3 ? ROWS[index - 1] : row)?.time ?? '', row.lat8, row.lon8];
  }),
};

test.each(Object.entries(WRITINGS))('a table with %s is read', (_, bytes) => {
  const file = readLapFile(bytes);
  expect(file).toMatchObject({ dropped: {} });
  expect(file.fixes.length).toBe(ROWS.length);
  expect(Math.abs((file.fixes.lats[0] ?? 0) - (fixes[0]?.lat ?? 0))).toBeLessThan(1e-6);
  expect(Math.abs((file.fixes.lons[0] ?? 0) - (fixes[0]?.lon ?? 0))).toBeLessThan(1e-6);
  const { laps } = timeLaps(openLapFile(bytes), KART_TRACK);
  expect(laps.map(({ status }) => status)).toEqual(['valid', 'valid']);
  for (const [index, { lapTimeMs }] of laps.entries())
    expect(Math.abs(lapTimeMs - (trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(10);
});

const SPEEDS: Record<string, [header: string, factor: number]> = {
  'kilometres per hour without a unit': ['speed', 3.6],
  'miles per hour without a unit': ['speed', 1 / 0.44704],
  'knots without a unit': ['speed', 3600 / 1852],
  'knots in the name': ['speed_knots', 3600 / 1852],
  'millimetres per second without a unit': ['gspeed', 1000],
  'centimetres per second': ['speed (cm/s)', 100],
  'feet per second': ['speed (ft/s)', 1 / 0.3048],
  'a column that is named after its unit': ['kph', 3.6],
};

test.each(Object.entries(SPEEDS))('speeds in %s are read', (_, [header, factor]) => {
  const file = readLapFile(
    write(`time,lat,lon,${header}`, ({ time, lat8, lon8, speedMetersPerSecond }) => [
      time,
      lat8,
      lon8,
      (factor * speedMetersPerSecond).toFixed(4),
    ]),
  );
  for (const index of [0, 100, 300])
    expect(file.fixes.speedsMetersPerSecond[index]).toBeCloseTo(fixes[index]?.speedMetersPerSecond ?? 0, 2);
});

test('columns that are exchanged are put right where the latitudes go beyond 90', () => {
  const file = readLapFile(
    write('time,lat,lon', ({ time, lat8, lon }) => [time, (lon + 100).toFixed(8), lat8]),
  );
  expect(file.fixes.lats[0]).toBeCloseTo(fixes[0]?.lat ?? 0, 6);
  expect(file.fixes.lons[0]).toBeCloseTo(100 + (fixes[0]?.lon ?? 0), 6);
});

test.each([
  ['in the south and west', 'S', 'W', -1],
  ['in the north and east', 'N', 'E', 1],
])('minutes beside whole degrees %s count away from zero', (_, ns, ew, sign) => {
  const header = 'time,lat_deg,lat_min,lat dir,lon_deg,lon_min,lon dir';
  const { lats, lons } = readLapFile(
    write(header, ({ time, lat, lon }) => [time, ...split(lat - 48), ns, ...split(lon), ew]),
  ).fixes;
  expect(lats[0]).toBeCloseTo(sign * ((fixes[0]?.lat ?? 0) - 48), 6);
  expect(lons[0]).toBeCloseTo(sign * (fixes[0]?.lon ?? 0), 6);
});
