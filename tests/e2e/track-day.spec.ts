import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { libraryTrack } from '../library.ts';
import { addCar, openAs, shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { isLongRun } from '../long-run.ts';
import { test } from './test.ts';
import { toastOf } from './toasts.ts';
import { chooseTires } from './upload-form.ts';

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const LAGUNA = 'weathertech-raceway-laguna-seca-full';
const TRACKS = [SPA, LAGUNA, 'mugello-circuit-grand-prix'];
// One upload takes as many; a few show the same.
const FILES = isLongRun ? 20 : 6;

/** The video of one file, and the one of all others. */
const OWN_VIDEO = 'https://video.example/laguna';
const DAY_VIDEO = 'https://video.example/day';

const pitboard = shareServer();

test(
  'a day at three tracks goes up in one go, though the connection is cut and the tab is closed in the middle',
  { tag: '@all' },
  async ({ browser }) => {
    test.setTimeout(isLongRun ? 600_000 : 240_000);
    let page = await openAs(browser, pitboard().url, 'Theo Okafor');
    await addCar(page, pitboard().url, 'mazda-mx-5-nb-1-8');
    await addCar(page, pitboard().url, 'bmw-m3-e30');
    const sentBytes = await countFileBytes(page);
    const files = Array.from({ length: FILES }, (_, index) => dayFile(index));
    await page.goto(`${pitboard().url}/upload`);
    await page.locator('input[type=file]').setInputFiles(files);
    await chooseSpa(page);
    const heading = page.getByRole('heading', { name: 'Your files are from 3 tracks' });
    await expect(heading).toBeVisible({ timeout: 120_000 });
    const [spa, laguna] = [
      page.getByRole('region', { name: /Spa/ }),
      page.getByRole('region', { name: /Laguna/ }),
    ];
    await expect(spa.getByRole('listitem').filter({ hasText: 'Ready' })).toHaveCount(Math.ceil(FILES / 3));
    await expect(laguna.getByRole('listitem').filter({ hasText: /1 lap, best/ })).toHaveCount(
      Math.ceil((FILES - 1) / 3),
    );
    await expect(page.getByRole('listitem').filter({ hasText: 'Processing' })).toHaveCount(0, {
      timeout: 120_000,
    });
    await expect(spa.getByRole('listitem').filter({ hasText: /1 lap, best/ })).toHaveCount(
      Math.ceil(FILES / 3),
    );
    await expectAccessibleEverywhere(page);

    // One form asks for car, tyres and video of all files; what is missing takes the focus.
    await page.getByRole('button', { name: 'Upload Lap Data' }).click();
    await expect(page.getByLabel('Car', { exact: true })).toBeFocused();
    await fillIn(page);
    await expect(page.getByLabel('Video Link')).toHaveAccessibleDescription(/^Every session needs one\./);
    await page.getByRole('button', { name: 'Upload Lap Data' }).click();
    await expect(page.getByLabel('Video Link')).toBeFocused();
    await page.getByLabel('Video Link').fill(DAY_VIDEO);
    await laguna.getByText('Another car, other tires or another video for single files').click();
    await laguna.getByLabel('Car of this file').first().selectOption({ index: 2 });
    await laguna.getByLabel('Video of this file').first().fill(OWN_VIDEO);

    // The connection is cut as soon as the second file goes. It goes again, and the third one stays on its way.
    let calls = 0;
    await page.route('**/api/upload', async (route) => {
      calls += 1;
      if (calls === 2) await page.context().setOffline(true);
      if (calls <= 3) await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Upload Lap Data' }).click();
    await expect(page.getByText('The connection was lost. Going on when it is back…')).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(1);
    await page.context().setOffline(false);
    await expect(page.getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(2, { timeout: 60_000 });
    // Each file went once, with its analysis; the uploads named it by its token.
    const allBytes = files.reduce((sum, { buffer }) => sum + buffer.length, 0);
    expect(await sentBytes()).toEqual({ 'analyze-gps': allBytes, upload: 0 });

    // The tab is closed; another one has what is not uploaded yet.
    const stopped = page;
    page = await stopped.context().newPage();
    await stopped.close();
    const before = await countSessions(page);
    expect(before).toBeGreaterThan(1);
    expect(before).toBeLessThan(FILES);
    const sentAgain = await countFileBytes(page);
    await page.goto(`${pitboard().url}/upload`);
    const left = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
    await expect(left).not.toHaveCount(0);
    expect(await left.count()).toBeLessThan(FILES);
    expect(await left.count()).toBeGreaterThanOrEqual(FILES - before);
    await uploadTheRest(page);
    await expect(toastOf(page, 'Upload successful!')).toBeVisible({ timeout: 120_000 });
    await expect.poll(() => countSessions(page)).toBe(FILES);
    const videos = (await listSessions(page)).map(({ videoUrl }) => videoUrl);
    expect(videos.filter((url) => url !== OWN_VIDEO && url !== DAY_VIDEO)).toEqual([]);
    expect(new Set(videos)).toContain(DAY_VIDEO);
    // The server still had what the other tab had sent, but for the file that it was taking when that was closed: that one goes
    // again with its analysis, or with its upload where the server takes it in between.
    const resent = await sentAgain();
    const resentBytes = (resent['analyze-gps'] ?? 0) + (resent['upload'] ?? 0);
    expect(resentBytes).toBeLessThanOrEqual(Math.max(...files.map(({ buffer }) => buffer.length)));
    await page.reload();
    await expect(page.getByText('No lap file yet?')).toBeVisible();
  },
);

/** The files that are left may be of one track or of several. */
async function uploadTheRest(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Process/ }).click();
  await page
    .getByRole('dialog', { name: 'Select Track' })
    .getByRole('button')
    .filter({ hasText: '% Match' })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Lap Details' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Processing' })).toHaveCount(0, {
    timeout: 120_000,
  });
  await fillIn(page);
  await page.getByLabel('Video Link').fill(DAY_VIDEO);
  await page.getByRole('button', { name: 'Upload Lap Data' }).click();
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Car', { exact: true }).selectOption({ index: 1 });
  await chooseTires(page, 'Track Street 200 TW');
}

async function chooseSpa(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Process ${FILES} File(s)` }).click();
  const picker = page.getByRole('dialog', { name: 'Select Track' });
  await picker
    .getByRole('button', { name: /Spa-Francorchamps/ })
    .first()
    .click();
}

async function countSessions(page: Page): Promise<number> {
  return (await listSessions(page)).length;
}

async function listSessions(page: Page): Promise<{ videoUrl: string | null }[]> {
  const user: { id: string } = await (await page.request.get(`${pitboard().url}/api/auth/user`)).json();
  return await (await page.request.get(`${pitboard().url}/api/sessions/user/${user.id}`)).json();
}

/** Counts the bytes of files in forms, by the last part of the address that they go to; tokens have none. */
async function countFileBytes(page: Page): Promise<() => Promise<Record<string, number>>> {
  await page.addInitScript(() => {
    const bytes: Record<string, number> = {};
    const count = (url: string, body: unknown) => {
      if (!(body instanceof FormData)) return;
      const call = url.split('/').at(-1) ?? '';
      for (const value of body.values())
        bytes[call] = (bytes[call] ?? 0) + (typeof value === 'string' ? 0 : value.size);
    };
    const original = fetch;
    window.fetch = (input, init) => {
      if (typeof input === 'string') count(input, init?.body);
      return original(input, init);
    };
    window.XMLHttpRequest = class extends XMLHttpRequest {
      #url = '';
      override open(method: string, url: string | URL) {
        this.#url = String(url);
        super.open(method, url);
      }
      override send(body?: XMLHttpRequestBodyInit | null) {
        count(this.#url, body);
        super.send(body);
      }
    };
    Object.assign(window, { sentFileBytes: bytes });
  });
  return () => page.evaluate(() => Reflect.get(window, 'sentFileBytes'));
}

function dayFile(index: number) {
  const track = libraryTrack(TRACKS[index % TRACKS.length] ?? SPA);
  const drive = simulateDrive(track, { seed: 40 + index, laps: 1, receiver: { rateHz: 5 } });
  return {
    name: `session-${index + 1}.gpx`,
    mimeType: 'application/gpx+xml',
    buffer: Buffer.from(writeGpx(drive)),
  };
}
