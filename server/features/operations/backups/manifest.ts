import { z } from 'zod';

/** What a backup holds, by which it is checked when it is restored. */
export const manifestSchema = z.object({
  createdAt: z.iso.datetime(),
  version: z.string(),
  /** Of the tables: how many changes of them were made. A restore needs the same. */
  migrations: z.int(),
  /** In the order in which they can be filled. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), checksum: z.string() })),
  files: z.array(z.object({ key: z.string(), sha256: z.string(), bytes: z.int() })),
  /** Some boards, by the track, as a hash of what is shown. */
  boards: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** What came of restoring a backup. */
export const proofSchema = z.object({ provenAt: z.iso.datetime(), problem: z.string().nullable() });

export type Proof = z.infer<typeof proofSchema>;

/** In the storage of backups: what belongs to one of them. */
export const BACKUPS_PREFIX = 'backups';
/** Files, each by its own key, shared by all backups. */
const SHARED_PREFIX = 'shared';

export const manifestKey = (name: string): string => `${BACKUPS_PREFIX}/${name}/manifest.json`;
export const proofKey = (name: string): string => `${BACKUPS_PREFIX}/${name}/proof.json`;
export const tableKey = (name: string, table: string): string => `${BACKUPS_PREFIX}/${name}/${table}.rows.gz`;
export const sharedKey = (key: string): string => `${SHARED_PREFIX}/${key}`;
