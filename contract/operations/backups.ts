import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { nonnegativeInt, nullableText } from '#contract/values.ts';

const momentSchema = z
  .string()
  .meta({ description: 'ISO 8601, UTC.', examples: ['2026-06-07T02:23:00.000Z'] });

const nameSchema = z
  .string()
  .regex(/^backup-\d{8}-\d{6}-\d{3}$/, 'This is no name of a backup.')
  .meta({ examples: ['backup-20260607-022300-000'] });

/** `missing`: not signed. `other-key`: signed with another COOKIE_SECRET. `wrong`: changed after it was signed. */
const SIGNATURES = ['valid', 'missing', 'other-key', 'wrong'] as const;
export type BackupSignature = (typeof SIGNATURES)[number];

const backupSchema = z.object({
  name: z.string().meta({ examples: ['backup-20260607-022300-000'] }),
  createdAt: momentSchema,
  version: z.string().meta({ description: 'Of Pitboard; a backup is restored by the same version.' }),
  rows: nonnegativeInt,
  files: nonnegativeInt,
  bytes: nonnegativeInt.meta({ description: 'The size of all files in it; backups share identical files.' }),
  proof: z
    .object({
      provenAt: momentSchema,
      problem: nullableText.meta({ description: 'Null: it restored to the same rows, files and boards.' }),
    })
    .nullable()
    .meta({ description: 'Null as long as nothing has tried to restore it.' }),
  signature: z.enum(SIGNATURES).meta({
    description:
      '`missing`: an earlier version or somebody else made it. `other-key`: a server with another COOKIE_SECRET did. `wrong`: it was changed. All but `valid` are restored only with the word `unsigned`.',
  }),
});

/** The steps of a restore, in order; it ends with `done` or `failed`. */
const RESTORE_STEPS = ['waiting', 'backing-up', 'proving', 'files', 'database', 'done', 'failed'] as const;

export const restoreStateSchema = z.object({
  name: z.string().meta({ description: 'Of the backup.', examples: ['backup-20260607-022300-000'] }),
  startedAt: momentSchema,
  step: z.enum(RESTORE_STEPS).meta({
    description:
      'The steps in order: `waiting` for a running backup, then `backing-up` and `proving` for the current data. `failed` means that nothing was replaced.',
  }),
  undoName: nullableText.meta({ description: 'The backup of the previous data; null until it is made.' }),
  problem: nullableText.meta({ description: 'Why it has failed.' }),
});

export type RestoreState = z.infer<typeof restoreStateSchema>;

export type Backup = z.infer<typeof backupSchema>;

export const backupEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/backups',
    access: 'admin',
    summary:
      'Lists the backups, newest first, each with the result of its test restore into a temporary database.',
    response: z.object({
      target: nullableText.meta({ description: 'Null: the setting BACKUP_TARGET is missing.' }),
      backups: z.array(backupSchema),
      damaged: z.array(z.string()).meta({
        description:
          'The manifests, proofs and states that cannot be read; `backups` leaves such backups out.',
        examples: [['backups/backup-20260607-022300-000/manifest.json']],
      }),
      restore: restoreStateSchema.nullable().meta({
        description: 'The running restore, or the last one; null if there has never been one.',
      }),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/admin/backups',
    access: 'admin',
    audit: 'start-backup',
    summary: 'Makes and proves a backup in the background.',
    response: z.object({ started: z.literal(true) }),
    errors: { conflict: 'The setting BACKUP_TARGET is missing.' },
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/admin/backups/:name/restore',
    access: 'owner',
    recentSignIn: 'Sign in again to restore a backup.',
    summary:
      'Replaces all data by a backup, in the background, after the current data is backed up and that backup is proven. Only owners may call it, with a sign-in within the last 15 minutes; it refuses API tokens.',
    params: z.object({ name: nameSchema }),
    query: z.object({
      word: z
        .literal('unsigned')
        .optional()
        .meta({ description: 'Restores a backup without a valid signature all the same.' }),
    }),
    response: z.object({ started: z.literal(true) }),
    errors: {
      conflict:
        'A backup is being restored already, or this one does not restore, has no valid signature, or was made by another version of the tables.',
      confirmation_needed: 'The caller signed in more than 15 minutes ago.',
    },
  }),
};
