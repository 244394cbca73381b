import { z } from 'zod';
import { userIdSchema } from '#contract/ids.ts';
import { endpoint } from '#contract/endpoint.ts';
import { pageQuery } from '#contract/lists.ts';
import { givenDaySchema } from '#contract/values.ts';

export const auditEntrySchema = z.object({
  id: z.uuid(),
  /** The time of the action, ISO 8601 in UTC. */
  at: z.string(),
  action: z.string(),
  /** The user who acted; null for a command at the server's terminal. */
  userId: userIdSchema.nullable(),
  /** Null if the account has been deleted. */
  userName: z.string().nullable(),
  /** The id of the track, user or session that the action changed; null if it changed several. */
  subject: z.string().nullable(),
  /** The name of that track, car, user, session or lap; null for other subjects and for deleted ones. */
  subjectName: z.string().nullable(),
  /** The path of the page of what has this name; null without one. */
  subjectLink: z.string().nullable(),
  /** The number of rows by outcome; a correction counts the changed fields. */
  counts: z.record(z.string(), z.number()),
  /** The values before and after, by the name of the field. */
  changes: z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()])).nullable(),
});

export type AuditLogEntry = z.infer<typeof auditEntrySchema>;

const day = givenDaySchema.optional();

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
  person: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only entries of people whose names have this text in them.', examples: ['Ana'] }),
  from: day.meta({ description: 'Only entries of this day in UTC or later.', examples: ['2026-06-01'] }),
  until: day.meta({ description: 'Only entries of this day in UTC or earlier.', examples: ['2026-06-30'] }),
});

export const auditEndpoints = {
  auditLog: endpoint({
    method: 'GET',
    path: '/api/admin/audit-log',
    access: 'admin',
    summary: 'Lists the actions of administrators, and of drivers on their sessions, latest first.',
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
