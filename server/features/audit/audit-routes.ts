import { auditEndpoints, type AuditLogEntry } from '#contract/audit/schemas.ts';
import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/kernel/http/endpoints.ts';
import { listAuditEntries } from '#server/model/audit/audit-store.ts';
import { writeCsvCell } from '#engine/export/csv-cell.ts';

// This many entries take some 30 MB.
const EXPORTED_ENTRIES_MAX = 100_000;

export function mountAuditRoutes(app: FastifyInstance, { database: { db } }: Services): void {
  serve(app, auditEndpoints.auditLog, ({ query }) => listAuditEntries(db, query));

  serve(app, auditEndpoints.exportAuditCsv, async ({ query, reply }) => {
    const { entries } = await listAuditEntries(db, { ...query, limit: EXPORTED_ENTRIES_MAX, offset: 0 });
    return reply
      .header('content-disposition', 'attachment; filename="audit-log.csv"')
      .type(auditEndpoints.exportAuditCsv.response)
      .send(writeAuditCsv(entries));
  });

  serve(app, auditEndpoints.exportAuditLog, async ({ query, reply }) => {
    void reply.header('content-disposition', 'attachment; filename="audit-log.json"');
    return (await listAuditEntries(db, { ...query, limit: EXPORTED_ENTRIES_MAX, offset: 0 })).entries;
  });
}

const COLUMNS = ['at', 'userName', 'userId', 'action', 'subject', 'counts', 'changes'] as const;

/** Writes entries of the audit log as a table for spreadsheets; no cell is a formula. */
function writeAuditCsv(entries: readonly AuditLogEntry[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => writeCell(entry[column])).join(','));
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

function writeCell(value: AuditLogEntry[keyof AuditLogEntry]): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '');
  return writeCsvCell(text, { isQuoted: true });
}
