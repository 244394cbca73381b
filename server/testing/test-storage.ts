import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { openDiskStorage } from '#server/kernel/storage/disk-storage.ts';
import { openS3Client, openS3Storage } from '#server/kernel/storage/s3-storage.ts';
import type { Storage } from '#server/kernel/storage/storage.ts';

/** The object storage that the tests run against; null: they run against the disk. `npm run test:s3` sets it. */
export const TEST_S3_ENDPOINT = process.env['PITBOARD_TEST_S3_ENDPOINT'] ?? null;

/** A bucket of its own on the object storage for tests, with the credentials that `npm run test:s3` makes. */
export async function createTestBucket(endpoint: string): Promise<{
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}> {
  const bucket = `test-${randomBytes(6).toString('hex')}`;
  const settings = {
    endpoint,
    region: 'us-east-1',
    bucket,
    accessKeyId: 'pitboardkey',
    secretAccessKey: 'pitboardsecret',
  };
  const client = openS3Client(settings);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return settings;
}

/** An empty storage for a test: on the disk in `folder`, or in a bucket of its own. */
export async function openTestStorage(folder: string): Promise<Storage> {
  if (TEST_S3_ENDPOINT === null) return openDiskStorage(folder);
  return openS3Storage(await createTestBucket(TEST_S3_ENDPOINT));
}

/** Lists the keys of all objects below a folder, sorted. */
export async function listKeys(storage: Storage, folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(folder)) keys.push(key);
  return keys.toSorted();
}

/** Damages a stored object: it keeps the first half of its bytes. */
export async function cutObject(storage: Storage, key: string): Promise<void> {
  const stored = await storage.openRead(key);
  if (stored === null) throw new Error(`There is no ${key}.`);
  const content = await buffer(stored.content);
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-cut-'));
  const path = join(folder, 'half');
  await writeFile(path, content.subarray(0, content.length / 2));
  await storage.put(key, path);
  await rm(folder, { recursive: true });
}

const STORED_FOLDERS = ['lap-files', 'lap-traces', 'images', 'incoming', 'pending-files', 'refused-files'];

/** Maps the key of each stored object to its content, unpacked. */
export async function readObjects(storage: Storage): Promise<Map<string, string>> {
  const objects = new Map<string, string>();
  for (const folder of STORED_FOLDERS) {
    for (const key of await listKeys(storage, folder)) {
      const stored = await storage.openRead(key);
      if (stored === null) continue;
      const content = await buffer(stored.content);
      objects.set(key, (key.endsWith('.gz') ? gunzipSync(content) : content).toString('latin1'));
    }
  }
  return objects;
}
