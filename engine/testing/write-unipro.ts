import { passingTimes, timeLabel } from '../simulation/drive-samples.ts';
import type { SimulatedDrive } from '../simulation/drive.ts';

/** Writes Unipro Analyser's export: a row for every event of a sensor, with times in nanoseconds. */
export function writeUnipro(drive: SimulatedDrive): string {
  const startMs = drive.fixes[0]?.timeMs ?? 0;
  const wholeStartMs = Math.floor(startMs / 1000) * 1000;
  const start = timeLabel(wholeStartMs).slice(0, 19).split('T');
  const passings = passingTimes(drive.trueLaps);
  const columns = ['Start Date', 'Start Time', 'Lap Number', 'Session Time', 'Lap Time'];
  const sensors = ['Heading', 'RPM', 'GPS Speed', 'Latitude', 'Longitude', 'Time', 'Temperature 1'];
  const rows = drive.fixes.flatMap((fix) => {
    const lap = passings.filter((passing) => passing <= fix.timeMs).length;
    const sinceStart = nanoseconds(fix.timeMs - wholeStartMs);
    const sinceLap = nanoseconds(fix.timeMs - (passings[lap - 1] ?? wholeStartMs));
    const clocks = [...start, lap, sinceStart, sinceLap];
    const kilometersPerHour = (fix.speedMetersPerSecond * 3.6).toFixed(6);
    return [
      [...clocks, '90.0', '', kilometersPerHour, fix.lat.toFixed(7), fix.lon.toFixed(7), '', ''],
      [...clocks, '', '12000.0', '', '', '', '', ''],
    ].map((cells) => cells.join('\t'));
  });
  const header = [...columns, ...sensors].map((name) => `"${name}"`).join('\t');
  return `${[header, ...rows].join('\r\n')}\r\n`;
}

function nanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6);
}
