import { join } from 'node:path';
import type { Config } from '#server/kernel/config/config.ts';
import { openDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

/** The storage that the settings name: a bucket, or a folder of the data folder. */
export async function openStorage({ s3 }: Pick<Config, 's3'>, dataFolder: string): Promise<Storage> {
  if (s3 === null) return openDiskStorage(join(dataFolder, 'files'));
  // Loaded where it is needed only: the client is larger than the rest of the server.
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage(s3);
}
