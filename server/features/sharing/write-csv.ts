import { formatCarName, tireLabel } from '#contract/lap-labels.ts';
import type { LapRecord } from '#contract/laps.ts';
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

/** Writes a board as CSV (RFC 4180) that no spreadsheet executes, whatever a driver has typed. */
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

// Spreadsheets take these characters for the beginning of a formula (OWASP, CSV injection).
const FORMULA = /^[=+\-@\t\r]/;

function writeCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
