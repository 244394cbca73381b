import { timeLabel } from './drive-samples.ts';
import type { DrivenFix, SimulatedDrive } from './drive.ts';

/** Describes how the table is written; by default with ISO times in UTC, commas and km/h. */
export type GenericCsvOptions = {
  /** Format of the time. */
  clock?: 'iso' | 'iso-local' | 'epoch-s' | 'epoch-ms' | 'elapsed-s' | 'elapsed-ms' | 'time-of-day';
  /** With `;` and tab, numbers have a decimal comma. */
  separator?: ',' | ';' | '\t';
  speed?: 'm/s' | 'km/h' | 'mph' | 'unnamed-km/h';
};

/** A drive as a plain table of time, latitude, longitude, speed and lap. */
export function writeGenericCsv(drive: SimulatedDrive, options: GenericCsvOptions = {}): string {
  const { clock = 'iso', separator = ',', speed = 'km/h' } = options;
  const startMs = drive.fixes[0]?.timeMs ?? 0;
  const speedName = speed === 'unnamed-km/h' ? 'speed' : `speed (${speed})`;
  const lines = [['time', 'latitude', 'longitude', speedName, 'lap'].join(separator)];
  for (const fix of drive.fixes) {
    const cells = [
      CLOCKS[clock](fix.timeMs, startMs),
      fix.lat.toFixed(7),
      fix.lon.toFixed(7),
      (fix.speedMetersPerSecond / METERS_PER_SECOND_IN[speed]).toFixed(2),
      lapAt(drive, fix),
    ];
    const row = cells.join(separator);
    lines.push(separator === ',' ? row : row.replaceAll('.', ','));
  }
  return `${lines.join('\n')}\n`;
}

const CLOCKS: Record<NonNullable<GenericCsvOptions['clock']>, (timeMs: number, startMs: number) => string> = {
  iso: (timeMs) => `${timeLabel(timeMs)}Z`,
  'iso-local': (timeMs) => timeLabel(timeMs).replace('T', ' '),
  'epoch-s': (timeMs) => (timeMs / 1000).toFixed(3),
  'epoch-ms': (timeMs) => timeMs.toFixed(0),
  'elapsed-s': (timeMs, startMs) => ((timeMs - startMs) / 1000).toFixed(3),
  'elapsed-ms': (timeMs, startMs) => (timeMs - startMs).toFixed(0),
  'time-of-day': (timeMs) => timeLabel(timeMs).slice(11),
};

const METERS_PER_SECOND_IN = { 'm/s': 1, 'km/h': 1 / 3.6, mph: 0.44704, 'unnamed-km/h': 1 / 3.6 };

/** 0 before the first passing of the line and after the last. */
function lapAt({ trueLaps }: SimulatedDrive, { timeMs }: DrivenFix): number {
  return (
    1 + trueLaps.findIndex((lap) => timeMs >= lap.startTimeMs && timeMs < lap.startTimeMs + lap.lapTimeMs)
  );
}
