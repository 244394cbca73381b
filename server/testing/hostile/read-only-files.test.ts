import { expect, test, vi } from 'vitest';
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
