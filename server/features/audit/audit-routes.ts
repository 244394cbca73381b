import { auditEndpoints } from '#contract/audit/schemas.ts';
import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { serve } from '#server/kernel/http/endpoints.ts';
import { listAuditEntries } from '#server/model/audit/audit-store.ts';
import { writeAuditCsv } from './audit-csv.ts';

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
