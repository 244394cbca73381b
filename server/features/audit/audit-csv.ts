import type { AuditLogEntry } from '#contract/audit/schemas.ts';
import { writeCsvCell } from '#engine/export/csv-cell.ts';

const COLUMNS = ['at', 'userName', 'userId', 'action', 'subject', 'counts', 'changes'] as const;

/** Writes entries of the audit log as a table for spreadsheets; no cell is a formula. */
export function writeAuditCsv(entries: readonly AuditLogEntry[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => writeCell(entry[column])).join(','));
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

function writeCell(value: AuditLogEntry[keyof AuditLogEntry]): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '');
  return writeCsvCell(text, { isQuoted: true });
}
