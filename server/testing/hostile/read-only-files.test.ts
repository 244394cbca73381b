import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDiskStorage } from '#server/kernel/storage/disk-storage.ts';
import { isStorageUnavailable } from '#server/kernel/storage/storage-unavailable.ts';
import { insertSignedIn } from '../builders.ts';
import { createUpload, phonePhoto, putTo } from '../images.ts';
import { insertKartTrack, kartCsv, listKeptFiles } from '../kart-uploads.ts';
import { useTestApp } from '../test-app.ts';

const app = useTestApp();

// The system makes a disk read-only after an error, a folder belongs to another account, a block is bad.
test('while files cannot be kept, an upload answers 503 with a sentence, and works again afterwards', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const upload = () => app.as(driver).uploadLaps(trackId, kartCsv());
  const put = vi.spyOn(app.storage, 'put');
  for (const code of ['EROFS', 'EACCES', 'EIO', 'ENOSPC']) {
    put.mockRejectedValue(Object.assign(new Error(`${code}: open '/data/files/lap-files/a'`), { code }));
    const refused = await upload();
    expect([code, refused.statusCode, refused.headers['retry-after']]).toEqual([code, 503, '60']);
    expect(refused.json()).toEqual({
      error: expect.any(String),
      message: expect.stringMatching(/^(Files cannot be kept|The disk of this server is full).*\.$/),
    });
    expect(await putTo(app.as(driver), await createUpload(app.as(driver)), await phonePhoto())).toBe(503);
  }
  put.mockRestore();
  expect(await listKeptFiles(app.storage)).toEqual([]);
  expect((await upload()).json().results).toMatchObject([{ success: true }]);
});

const mount = (...words: string[]): boolean => spawnSync('mount', words).status === 0;

const folder = await mkdtemp(join(tmpdir(), 'pitboard-read-only-'));
const canMount = process.platform === 'linux' && mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
if (!canMount) await rm(folder, { recursive: true });

test.skipIf(!canMount)(
  'a disk that the system has made read-only counts as unavailable, and works again',
  async () => {
    onTestFinished(async () => {
      spawnSync('umount', [folder]);
      await rm(folder, { recursive: true });
    });
    const storage = openDiskStorage(join(folder, 'files'));
    const work = await mkdtemp(join(tmpdir(), 'pitboard-read-only-work-'));
    onTestFinished(() => rm(work, { recursive: true }));
    const put = async (key: string) => {
      const path = join(work, 'file');
      await writeFile(path, 'lap');
      return await storage.put(key, path).then(
        () => 'stored',
        (error: unknown) => (isStorageUnavailable(error) ? 'unavailable' : error),
      );
    };
    await mkdir(join(folder, 'files', 'lap-files'), { recursive: true });
    expect(await put('lap-files/aa/first')).toBe('stored');
    expect(mount('-o', 'remount,ro', folder)).toBe(true);
    // The folder of the first key exists, that of the others does not.
    for (const key of ['lap-files/aa/second', 'lap-files/bb/third', 'new/cc/fourth'])
      expect([key, await put(key)]).toEqual([key, 'unavailable']);
    expect(mount('-o', 'remount,rw', folder)).toBe(true);
    for (const key of ['lap-files/bb/third', 'new/cc/fourth']) expect(await put(key)).toBe('stored');
  },
);
