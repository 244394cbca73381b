import { lapNumberAt, timeLabel } from '../simulation/drive-samples.ts';
import type { DrivenFix, SimulatedDrive } from '../simulation/drive.ts';

/** A drive as the devices write it whose files are no plain tables, or have laps of their own. */
export const DEVICE_WRITERS = {
  nmea: writeNmea,
  'racecapture-log': writeRaceCapture,
  'harrys-csv': writeHarrys,
  'racebox-csv': writeRaceBox,
  'doves-csv': writeDoves,
} satisfies Record<string, (drive: SimulatedDrive) => string>;

function writeNmea({ fixes }: SimulatedDrive): string {
  const sentences = fixes.flatMap((fix) => {
    const [date, time] = formatDigits(fix);
    const place = `${degreesAndMinutes(fix.lat, 2)},${fix.lat < 0 ? 'S' : 'N'},${degreesAndMinutes(fix.lon, 3)},${fix.lon < 0 ? 'W' : 'E'}`;
    const knots = ((fix.speedMetersPerSecond * 3600) / 1852).toFixed(3);
    return [
      `GPGGA,${time},${place},1,12,0.7,47.8,M,-29.2,M,,`,
      `GPRMC,${time},A,${place},${knots},,${date},,,A`,
    ];
  });
  return sentences.map((text) => `$${text}*${checksum(text)}\r\n`).join('');
}

function checksum(text: string): string {
  const sum = [...text].reduce((total, character) => total ^ character.charCodeAt(0), 0);
  return sum.toString(16).toUpperCase().padStart(2, '0');
}

/** Formats `160526` and `093000.040`. */
function formatDigits({ timeMs }: DrivenFix): [string, string] {
  const label = timeLabel(timeMs);
  return [label.slice(8, 10) + label.slice(5, 7) + label.slice(2, 4), label.slice(11).replaceAll(':', '')];
}

function degreesAndMinutes(degrees: number, width: number): string {
  const whole = Math.trunc(Math.abs(degrees));
  const minutes = (60 * (Math.abs(degrees) - whole)).toFixed(7).padStart(10, '0');
  return String(whole).padStart(width, '0') + minutes;
}

/** Writes the log of an MK2: rows of the acceleration sensor between the fixes. */
function writeRaceCapture({ fixes, trueLaps }: SimulatedDrive): string {
  const names = [
    '"Interval"|"ms"',
    '"Utc"|"ms"',
    '"AccelX"|"G"',
    '"Latitude"|"Degrees"',
    '"Longitude"|"Degrees"',
  ];
  const more = ['"Speed"|"MPH"', '"LapCount"|""', '"LapTime"|"Min"'];
  const header = [...names, ...more].map((name) => `${name}|0|0|10`).join(',');
  const startMs = fixes[0]?.timeMs ?? 0;
  const rows = fixes.flatMap(({ timeMs, lat, lon, speedMetersPerSecond }) => {
    const intervalMs = 1000 + Math.round((timeMs - startMs) * 0.9973);
    const count = Math.max(0, lapNumberAt(trueLaps, timeMs) - 1);
    const minutes = ((trueLaps[count - 1]?.lapTimeMs ?? 0) / 60_000).toFixed(4);
    const speed = (speedMetersPerSecond / 0.44704).toFixed(2);
    return [
      `${intervalMs},${timeMs.toFixed(0)},-0.25,${lat.toFixed(7)},${lon.toFixed(7)},${speed},${count},${minutes}`,
      `${intervalMs + 40},${(timeMs + 40).toFixed(0)},-0.21,,,,,`,
    ];
  });
  return [header, ...rows, ''].join('\r\n');
}

function writeHarrys({ fixes, trueLaps }: SimulatedDrive): string {
  const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
  const rows = fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }, index) => {
    const label = timeLabel(timeMs);
    const date = `${label.slice(8, 10)}-${months[Number(label.slice(5, 7)) - 1]}-${label.slice(2, 4)}`;
    const lap = lapNumberAt(trueLaps, timeMs);
    const seconds = (timeMs - (trueLaps[lap - 1]?.startTimeMs ?? fixes[0]?.timeMs ?? 0)) / 1000;
    const speed = (speedMetersPerSecond * 3.6).toFixed(3);
    return `${index},${lap},${date},${label.slice(11)},${seconds.toFixed(6)},${lat.toFixed(7)},${lon.toFixed(7)},${speed}`;
  });
  const header = 'INDEX,LAPINDEX,DATE,TIME,TIME_LAP,LATITUDE,LONGITUDE,SPEED_KPH';
  return ["Harry's GPS LapTimer", header, ...rows, ''].join('\n');
}

/** Writes the custom preset, with its block in front. */
function writeRaceBox({ fixes, trueLaps }: SimulatedDrive): string {
  const laps = trueLaps.map(
    ({ lapTimeMs }, index) => `Lap ${index + 1}, ${(lapTimeMs / 1000).toFixed(3)}, sectors, 0,0,0,0,0`,
  );
  const rows = fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }, index) => {
    const lap = lapNumberAt(trueLaps, timeMs);
    const speed = (speedMetersPerSecond * 3.6).toFixed(2);
    return `${index + 1},${timeLabel(timeMs)}Z,${lat.toFixed(7)},${lon.toFixed(7)},0,${speed},0,0,1,${lap},0,0,0`;
  });
  const header =
    'Record,Time,Latitude,Longitude,Altitude,Speed,GForceX,GForceY,GForceZ,Lap,GyroX,GyroY,GyroZ';
  return ['Format,RaceBox CSV', `Laps,${laps.length}`, ...laps, '', header, ...rows, ''].join('\r\n');
}

function writeDoves({ fixes, trueLaps }: SimulatedDrive): string {
  const rows = fixes.map(({ timeMs, lat, lon, speedMetersPerSecond }) => {
    const speed = (speedMetersPerSecond / 0.44704).toFixed(2);
    return `${timeMs.toFixed(0)},12,0.7,${lat.toFixed(8)},${lon.toFixed(8)},${speed}`;
  });
  const laps = trueLaps.map(({ lapTimeMs }) => lapTimeMs.toFixed(0)).join(',');
  const session = `datetime,driver,course\r\n2026-05-16 09:30:00,Driver,Normal\r\nlaps_ms\r\n${laps}\r\n`;
  return [session.padEnd(1024, '\0'), 'timestamp,sats,hdop,lat,lng,speed_mph', ...rows, ''].join('\r\n');
}
