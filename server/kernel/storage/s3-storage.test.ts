import { describe, expect, test } from 'vitest';
import { testStorage } from '#server/testing/storage-tests.ts';
import { createTestBucket, TEST_S3_ENDPOINT } from '#server/testing/test-storage.ts';
import { openS3Storage } from './s3-storage.ts';

const open = async () => openS3Storage(await createTestBucket(TEST_S3_ENDPOINT ?? ''));
const put = async (address: string) => (await fetch(address, { method: 'PUT', body: 'hello' })).status;

// `npm run test:s3` starts an object storage for these.
describe.skipIf(TEST_S3_ENDPOINT === null)('on an S3-compatible object storage', () => {
  testStorage(open);

  test('a signed URL takes the object that it was signed for, and no other', async () => {
    const storage = await open();
    const addresses = storage.uploadAddresses;
    const address = (await addresses?.sign('incoming/a/one', 60)) ?? '';
    expect(await put(address.replace('incoming/a/one', 'incoming/b/one'))).toBe(403);
    expect(await put(address.replace(/X-Amz-Expires=60/, 'X-Amz-Expires=6000'))).toBe(403);
    expect(await put(address.split('?')[0] ?? '')).toBe(403);
    expect(await put(address)).toBe(200);
    expect(addresses?.keyOf(address)).toBe('incoming/a/one');
    const stored = await storage.openRead('incoming/a/one');
    expect(Buffer.concat((await stored?.content.toArray()) ?? []).toString()).toBe('hello');
  });

  test('a signed URL expires', async () => {
    const storage = await open();
    const address = (await storage.uploadAddresses?.sign('incoming/a/two', 1)) ?? '';
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await put(address)).toBe(403);
    expect(await storage.openRead('incoming/a/two')).toBeNull();
  });

  test('URLs of others are not ours', async () => {
    const { uploadAddresses } = await open();
    for (const address of [
      'https://elsewhere.example/bucket/incoming/a/one',
      `${TEST_S3_ENDPOINT}/another-bucket/incoming/a/one`,
      'nonsense',
    ]) {
      expect(uploadAddresses?.keyOf(address)).toBeNull();
    }
  });

  test('wrong credentials are reported, not taken for an empty storage', async () => {
    const settings = await createTestBucket(TEST_S3_ENDPOINT ?? '');
    const storage = openS3Storage({ ...settings, secretAccessKey: 'wrong' });
    await expect(storage.openRead('a')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  test('a list goes on after the first thousand objects', async () => {
    const storage = await open();
    const addresses = storage.uploadAddresses;
    for (let at = 0; at < 1_010; at += 101) {
      await Promise.all(
        Array.from({ length: 101 }, async (_, i) => put((await addresses?.sign(`many/${at + i}`, 60)) ?? '')),
      );
    }
    let count = 0;
    for await (const _ of storage.list('many')) count++;
    expect(count).toBe(1_010);
  });
});
