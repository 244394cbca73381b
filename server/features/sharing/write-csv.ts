import { formatCarName, tireLabel } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';

const HEADER = [
  'Position',
  'Driver',
  'Car',
  'Tires',
  'Lap time',
  'Lap time (ms)',
  'Gap (ms)',
  '± (ms)',
  'Date',
  'Video',
];

/** A board as CSV (RFC 4180), which spreadsheets open without running anything that a driver has typed. */
export function writeCsv(records: readonly LapRecord[]): string {
  const rows = records.map((record) => [
    record.rank,
    record.userName,
    formatCarName(record),
    tireLabel(record.tireCompound),
    formatLapTime(record.lapTimeMs),
    record.lapTimeMs,
    record.gapMs,
    record.uncertaintyMs,
    record.sessionDate,
    record.videoUrl ?? '',
  ]);
  return [HEADER, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');
}

// What spreadsheets take for the beginning of a formula (OWASP, CSV injection).
const FORMULA = /^[=+\-@\t\r]/;

function writeCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
