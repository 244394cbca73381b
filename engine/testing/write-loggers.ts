import { lapNumberAt, passingTimes, timeLabel } from '../simulation/drive-samples.ts';
import type { DrivenFix, SimulatedDrive } from '../simulation/drive.ts';
import { writeUnipro } from './write-unipro.ts';
import { DAY_MS } from '../durations.ts';

/** A drive as one of the loggers writes it whose files are plain tables, one row per fix. */
export type LoggerWriter = (drive: SimulatedDrive) => string;

const GROUPED = {
  '.': new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 }),
  ',': new Intl.NumberFormat('de-DE', { maximumFractionDigits: 3 }),
};

/** A writer for every logger with a plain table, by the name of its format. */
export const LOGGER_WRITERS = {
  'aim-csv': (drive: SimulatedDrive) => writeAim(drive),
  'motec-csv': writeMotec,
  'alfano-csv': (drive: SimulatedDrive) => writeAlfano(drive),
  'lap-legend-csv': writeLapLegend,
  'gauge-s-csv': writeGaugeS,
  'solostorm-csv': writeSoloStorm,
  'drogger-csv': writeDrogger,
  'torque-csv': writeTorque,
  'telemetry-overlay-csv': writeTelemetryOverlay,
  'vesc-csv': writeVesc,
  'qstarz-csv': writeQstarz,
  'columbus-csv': writeColumbus,
  'unipro-tsv': writeUnipro,
} satisfies Record<string, LoggerWriter>;

/** Race Studio 3's export, or with another separator and decimal commas. */
export function writeAim(drive: SimulatedDrive, separator: ',' | ';' | '\t' = ','): string {
  const { startMs, seconds } = formatClock(drive);
  const endMs = drive.fixes.at(-1)?.timeMs ?? startMs;
  const start = new Date(startMs);
  const markers = [...passingTimes(drive.trueLaps), endMs].map(seconds);
  const preamble = [
    ['Format', 'AiM CSV File'],
    ['Session', 'Kart track'],
    ['Date', start.toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' })],
    ['Time', start.toLocaleTimeString('en-US', { timeStyle: 'short', timeZone: 'UTC' })],
    ['Sample Rate', '10'],
    ['Duration', seconds(endMs)],
    ['Segment', 'Session'],
    ['Beacon Markers', ...markers],
    [],
    ['Time', 'GPS Speed', 'GPS Nsat', 'GPS Latitude', 'GPS Longitude', 'Water Temp'],
    ['s', 'km/h', '#', 'deg', 'deg', 'C'],
    [],
  ];
  const rows = drive.fixes.map((fix) => [
    seconds(fix.timeMs),
    kilometersPerHour(fix),
    '12',
    ...place(fix),
    '55.5',
  ]);
  const comma = (cell: string) =>
    separator !== ',' && /^-?\d+\.\d+$/.test(cell) ? cell.replace('.', ',') : cell;
  return toText(
    [...preamble, ...rows].map((cells) => cells.map((cell) => `"${comma(cell)}"`).join(separator)),
  );
}

function writeMotec(drive: SimulatedDrive): string {
  const { startMs, seconds } = formatClock(drive);
  const [date = '', time = ''] = timeLabel(startMs).slice(0, 19).split('T');
  const markers = passingTimes(drive.trueLaps).map(seconds).join(' ');
  return toText([
    '"Format","MoTeC CSV File",,,"Workbook",""',
    `"Log Date","${date.split('-').toReversed().join('/')}",,,"Origin Time","0.000","s"`,
    `"Log Time","${time}",,,"Start Time","0.000","s"`,
    `"Beacon Markers","${markers} "`,
    '',
    '',
    '"Time","Ground Speed","GPS Latitude","GPS Longitude","Time"',
    '"s","km/h","deg","deg","min"',
    '',
    ...drive.fixes.map((fix) =>
      [seconds(fix.timeMs), kilometersPerHour(fix), ...place(fix), '0.0']
        .map((cell) => `"${cell}"`)
        .join(','),
    ),
  ]);
}

/** Alfano's export, with grouped numbers of either kind. */
export function writeAlfano(drive: SimulatedDrive, decimalMark: '.' | ',' = '.'): string {
  const { startMs } = formatClock(drive);
  const start = timeLabel(startMs).slice(11).replaceAll(':', '');
  const passings = passingTimes(drive.trueLaps);
  const ends = [...passings, drive.fixes.at(-1)?.timeMs ?? startMs];
  let lap = 0;
  const rows = drive.fixes.map((fix) => {
    const next = 1 + lapNumberAt(drive.trueLaps, fix.timeMs);
    const isFirst = next !== lap;
    lap = next;
    const lapTime = ((ends[lap - 1] ?? 0) - (ends[lap - 2] ?? startMs)) / 1000;
    const cells = [(fix.timeMs - startMs) / 1000, 0, 12_345.6, fix.speedMetersPerSecond * 3.6, 17_090.4].map(
      (value) => grouped(value, decimalMark),
    );
    const degrees = place(fix).map((cell) => cell.replace('.', decimalMark));
    return [isFirst ? lap : '', isFirst ? grouped(lapTime, decimalMark) : '', ...cells, ...degrees, ''].join(
      ';',
    );
  });
  const header = 'Lap;Time Lap;Absolute Time;Time;Distance;Speed GPS;Orientation;Lat.;Lon.;UTC time :';
  return toText([`${header} ${start}`, ...rows, ';;;;;;;;;']);
}

function grouped(value: number, decimalMark: '.' | ','): string {
  return GROUPED[decimalMark].format(value);
}

function writeLapLegend(drive: SimulatedDrive): string {
  const { seconds } = formatClock(drive);
  return toText([
    '# Lap Legend CSV Data Export (10 Hz Interpolated)',
    '# GPS Rate: 10 Hz',
    '',
    '"Time","GPS Latitude (deg)","GPS Longitude (deg)","GPS Speed (km/h)","Lap Number","Vehicle Speed (km/h)"',
    ...drive.fixes.map((fix) =>
      [seconds(fix.timeMs), ...place(fix), kilometersPerHour(fix), findLapNumber(drive, fix), 15].join(','),
    ),
  ]);
}

function writeGaugeS(drive: SimulatedDrive): string {
  const { startMs } = formatClock(drive);
  const speeds = ['Speed (mph)', 'GPS Speed (km/h)'];
  const header = [
    'Timestamp (ms),Date,Hour (h),Minute (min),Second (s)',
    ...speeds,
    'GPS Latitude (°),GPS Longitude (°),',
  ];
  return toText([
    header.join(','),
    ...drive.fixes.map((fix) => {
      const [date = '', time = ''] = timeLabel(fix.timeMs).slice(2, 19).split('T');
      const clock = [date.replaceAll('-', ''), ...time.split(':')];
      const mph = (fix.speedMetersPerSecond / 0.44704).toFixed(0);
      return [
        Math.round(fix.timeMs - startMs),
        ...clock,
        mph,
        kilometersPerHour(fix),
        ...place(fix),
        '',
      ].join(',');
    }),
  ]);
}

/** One run over the first lap, the rest of the drive lies behind its finish. */
function writeSoloStorm(drive: SimulatedDrive): string {
  return toText([
    'GPS_TIME (ms),LONG (deg),LAT (deg),SPEED (m/s),MATH_LAP_NUMBER,MATH_SECTOR_NUMBER',
    ...drive.fixes.map((fix) => {
      const lap = lapNumberAt(drive.trueLaps, fix.timeMs);
      const [lat, lon] = place(fix);
      return [
        fix.timeMs.toFixed(0),
        lon,
        lat,
        fix.speedMetersPerSecond.toFixed(3),
        1,
        1 + Math.min(lap, 2),
      ].join(',');
    }),
  ]);
}

function writeDrogger(drive: SimulatedDrive): string {
  const { startMs } = formatClock(drive);
  const rows = drive.fixes.map((fix, index) => {
    const lap = findLapNumber(drive, fix);
    const next = drive.fixes[index + 1];
    const isLast = next !== undefined && findLapNumber(drive, next) !== lap;
    const lapTimeMs = isLast && lap > 0 ? (drive.trueLaps[lap - 1]?.lapTimeMs ?? 0) : 0;
    const runTimeMs = Math.round(fix.timeMs - startMs);
    return [runTimeMs, lap, Math.round(lapTimeMs), ...place(fix), kilometersPerHour(fix), 9000, 55].join(',');
  });
  return `\ufeff${toText(['RunTime,Lap,LapTime,Latitude,Longitude,Speed,RPM,ThrottolePos', ...rows])}`;
}

function writeTorque(drive: SimulatedDrive): string {
  return toText([
    'GPS Time, Device Time, Longitude, Latitude,GPS Speed (Meters/second), Altitude,Speed (OBD)(km/h), ',
    ...drive.fixes.map((fix) => {
      const [day = '', date = '', month = '', year = '', time = ''] = new Date(fix.timeMs)
        .toUTCString()
        .split(/,? /);
      const gpsTime = `${day} ${month} ${date} ${time} GMT+00:00 ${year}`;
      const deviceTime = `${date}-${month}-${year} ${timeLabel(fix.timeMs).slice(11)}`;
      const [lat, lon] = place(fix);
      return [gpsTime, deviceTime, lon, lat, fix.speedMetersPerSecond, 390, 99, ''].join(',');
    }),
  ]);
}

function writeTelemetryOverlay(drive: SimulatedDrive): string {
  return toText([
    'utc (ms),lat (deg),lon (deg),speed (m/s),alt (m),heading (deg),g_lon,g_lat,speed (km/h)',
    ...drive.fixes.map((fix) =>
      [
        fix.timeMs.toFixed(0),
        ...place(fix),
        fix.speedMetersPerSecond.toFixed(2),
        '390,90,0,0',
        kilometersPerHour(fix),
      ].join(','),
    ),
  ]);
}

function writeVesc(drive: SimulatedDrive): string {
  const dayMs = DAY_MS;
  const rows = drive.fixes.flatMap((fix) => {
    const timeMs = Math.round(fix.timeMs) % dayMs;
    const speed = fix.speedMetersPerSecond.toFixed(8);
    return [0, 30].map((laterMs) =>
      [timeMs + laterMs, 48.5, timeMs, ...place(fix), 390, speed, ''].join(';'),
    );
  });
  return toText(['ms_today;input_voltage;gnss_posTime;gnss_lat;gnss_lon;gnss_alt;gnss_gVel;', ...rows]);
}

function writeQstarz(drive: SimulatedDrive): string {
  return toText([
    'INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,DISTANCE,',
    ...drive.fixes.map((fix, index) => {
      const [date = '', time = ''] = timeLabel(fix.timeMs).replaceAll('-', '/').split('T');
      const [lat, lon] = place(fix).map((cell) => cell.replace('-', ''));
      const letters = [fix.lat < 0 ? 'S' : 'N', fix.lon < 0 ? 'W' : 'E'];
      const speed = `${kilometersPerHour(fix)} km/h`;
      return [
        index,
        'T',
        date,
        time,
        'SPS',
        lat,
        letters[0],
        lon,
        letters[1],
        '390.1 m',
        speed,
        '5.0 m',
        '',
      ].join(',');
    }),
  ]);
}

function writeColumbus(drive: SimulatedDrive): string {
  return toText([
    'INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX',
    ...drive.fixes.map((fix, index) => {
      const [date = '', time = ''] = timeLabel(fix.timeMs).slice(2).replaceAll(/[-:]/g, '').split('T');
      const [lat, lon] = place(fix).map((cell) => cell.replace('-', ''));
      const letters = [fix.lat < 0 ? 'S' : 'N', fix.lon < 0 ? 'W' : 'E'];
      const cells = [
        `${lat}${letters[0]}`,
        `${lon}${letters[1]}`,
        '390\0\0',
        `${kilometersPerHour(fix)}\0`,
        '90\0',
        '',
      ];
      return [`${index}\0\0`, 'T', date, time, ...cells].join(',');
    }),
  ]);
}

function formatClock({ fixes }: SimulatedDrive): { startMs: number; seconds: (timeMs: number) => string } {
  const startMs = fixes[0]?.timeMs ?? 0;
  return { startMs, seconds: (timeMs) => ((timeMs - startMs) / 1000).toFixed(3) };
}

function place({ lat, lon }: DrivenFix): string[] {
  return [lat.toFixed(7), lon.toFixed(7)];
}

function kilometersPerHour({ speedMetersPerSecond }: DrivenFix): string {
  return (speedMetersPerSecond * 3.6).toFixed(3);
}

/** 0 before the first passing and after the last. */
function findLapNumber({ trueLaps }: SimulatedDrive, { timeMs }: DrivenFix): number {
  const lap = lapNumberAt(trueLaps, timeMs);
  return lap > trueLaps.length ? 0 : lap;
}

function toText(lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n`;
}
