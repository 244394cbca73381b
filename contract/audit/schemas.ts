import { z } from 'zod';
import { userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { pageQuery } from '#contract/lists.ts';

export const auditEntrySchema = z.object({
  id: z.uuid(),
  /** ISO 8601, UTC. */
  at: z.string(),
  action: z.string(),
  /** Who did it; null for somebody at the server's terminal. */
  userId: userIdSchema.nullable(),
  /** Null where the account is gone too. */
  userName: z.string().nullable(),
  /** The id of the track, the user or the session that it was done to; null where it was many. */
  subject: z.string().nullable(),
  /** What that track or user is called; null for anything else, and where it is gone. */
  subjectName: z.string().nullable(),
  /** How many rows came to what; of a correction, the fields that changed. */
  counts: z.record(z.string(), z.number()),
  /** Before and after, by the name of the field, where that is worth knowing. */
  changes: z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()])).nullable(),
});

export type AuditLogEntry = z.infer<typeof auditEntrySchema>;

const auditFilter = z.object({
  action: z
    .string()
    .regex(/^[a-z-]{1,60}$/, 'An action has small letters and hyphens.')
    .optional()
    .meta({ description: 'Only entries of this action.', examples: ['correct-track'] }),
  subject: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only entries about this track, user, session or car, by its id.' }),
});

export const auditEndpoints = {
  auditLog: endpoint({
    method: 'GET',
    path: '/api/admin/audit-log',
    access: 'admin',
    summary: 'What administrators did, and drivers with their sessions, latest first.',
    query: pageQuery.extend(auditFilter.shape),
    response: z.object({ entries: z.array(auditEntrySchema), total: z.int() }),
  }),
  exportAuditCsv: endpoint({
    method: 'GET',
    path: '/api/admin/audit-log/export.csv',
    access: 'admin',
    summary: 'The same as a table: at, who, action, subject, counts and changes.',
    query: auditFilter,
    response: 'text/csv',
  }),
  exportAuditLog: endpoint({
    method: 'GET',
    path: '/api/admin/audit-log/export',
    access: 'admin',
    summary: 'All entries that pass the filter as one file, latest first; the latest 100,000 of them.',
    query: auditFilter,
    response: z.array(auditEntrySchema),
  }),
};
