import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const momentSchema = z
  .string()
  .meta({ description: 'ISO 8601, UTC.', examples: ['2026-06-07T02:23:00.000Z'] });

const backupSchema = z.object({
  name: z.string().meta({ examples: ['backup-20260607-022300-000'] }),
  createdAt: momentSchema,
  version: z.string().meta({ description: 'Of Pitboard; a backup is restored by the same version.' }),
  rows: z.int().nonnegative(),
  files: z.int().nonnegative(),
  bytes: z
    .int()
    .nonnegative()
    .meta({ description: 'Of all files in it; backups share those that are the same.' }),
  proof: z
    .object({
      provenAt: momentSchema,
      problem: z
        .string()
        .nullable()
        .meta({ description: 'Null: it restored to the same rows, files and boards.' }),
    })
    .nullable()
    .meta({ description: 'Null as long as nothing has tried to restore it.' }),
});

export type Backup = z.infer<typeof backupSchema>;

export const backupEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/backups',
    access: 'admin',
    summary:
      'The backups, newest first, each with what came of restoring it into a database that is thrown away.',
    response: z.object({
      target: z.string().nullable().meta({ description: 'Null: the setting BACKUP_TARGET is missing.' }),
      backups: z.array(backupSchema),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/admin/backups',
    access: 'admin',
    summary: 'Makes and proves a backup in the background.',
    response: z.object({ started: z.literal(true) }),
    errors: { conflict: 'The setting BACKUP_TARGET is missing.' },
  }),
};
