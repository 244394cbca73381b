import { isAbsolute } from 'node:path';
import type { Config } from '#server/kernel/config/config.ts';
import { openDiskStorage } from '#server/kernel/storage/disk-storage.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';

/** Backups are stored here; the name is that in the settings. */
export type BackupTarget = { name: string; storage: Storage };

/** Opens the storage for backups that the settings give; null where they give none. */
export async function openBackupTarget({
  backupTarget,
  s3,
}: Pick<Config, 'backupTarget' | 's3'>): Promise<BackupTarget | null> {
  if (backupTarget === null) return null;
  if (isAbsolute(backupTarget)) return { name: backupTarget, storage: openDiskStorage(backupTarget) };
  const bucket = backupTarget.replace(/^s3:\/\//, '');
  if (s3 === null) throw new Error('BACKUP_TARGET names a bucket, and the S3_… settings are missing.');
  const { openS3Storage } = await import('#server/kernel/storage/s3-storage.ts');
  return { name: backupTarget, storage: openS3Storage({ ...s3, bucket }) };
}
