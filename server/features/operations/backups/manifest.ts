import { z } from 'zod';

/** A manifest lists the content of a backup; a restore checks the backup against it. */
export const manifestSchema = z.object({
  /** The name of the backup; those of version 0.2 lack it, and the hashes of the tables. */
  name: z.string().optional(),
  createdAt: z.iso.datetime(),
  version: z.string(),
  /** The number of migrations that made the tables; a restore needs the same number. */
  migrations: z.int(),
  /** The tables are in the order in which they can be filled; the hash is that of the stored object. */
  tables: z.array(
    z.object({ name: z.string(), rows: z.int(), checksum: z.string(), sha256: z.string().optional() }),
  ),
  files: z.array(z.object({ key: z.string(), sha256: z.string(), bytes: z.int() })),
  /** Some boards are included, each by its track with a hash of its content. */
  boards: z.record(z.string(), z.string()),
  /** The signature is that of everything else in the manifest. */
  signature: z.object({ keyId: z.string(), value: z.string() }).optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type UnsignedManifest = Omit<Manifest, 'signature'>;

/** A proof is the result of a trial restore of a backup. */
export const proofSchema = z.object({ provenAt: z.iso.datetime(), problem: z.string().nullable() });

export type Proof = z.infer<typeof proofSchema>;

/** Each backup has its own files under this prefix in the storage of backups. */
export const BACKUPS_PREFIX = 'backups';
/** All backups share the files under this prefix, each by its own key. */
export const SHARED_PREFIX = 'shared';

export const manifestKey = (name: string): string => `${BACKUPS_PREFIX}/${name}/manifest.json`;
export const proofKey = (name: string): string => `${BACKUPS_PREFIX}/${name}/proof.json`;
export const tableKey = (name: string, table: string): string => `${BACKUPS_PREFIX}/${name}/${table}.rows.gz`;
export const sharedKey = (key: string): string => `${SHARED_PREFIX}/${key}`;
