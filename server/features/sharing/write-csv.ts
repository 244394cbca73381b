import { formatCarName, tireLabel } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { writeCsvCell } from '#engine/export/csv-cell.ts';

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
  return [HEADER, ...rows].map((row) => `${row.map((cell) => writeCsvCell(cell)).join(',')}\r\n`).join('');
}
